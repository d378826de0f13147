import {
  eventEnd,
  parseInstant,
  type operations,
  type OperationResponse,
  type PublicEvent,
} from '@lobbystats/contracts';
import type { PlotFlag } from '../plots/plot-data.ts';
import { formatCount } from './text.ts';

/** The marks of events, each as long as it lasts. */
export function eventFlags(events: readonly PublicEvent[]): readonly PlotFlag[] {
  return events.map(({ title, starts_at, ends_at }) => ({
    kind: 'event',
    at: parseInstant(starts_at),
    until: eventEnd(parseInstant(starts_at), ends_at === null ? null : parseInstant(ends_at)),
    text: title,
  }));
}

type CountRecord = OperationResponse<typeof operations.getNetworkRecords>['online'];

/** The mark of a highest count: `234 online`. None if it is unknown. */
export function recordFlags(record: CountRecord | undefined, counted: string): readonly PlotFlag[] {
  if (!record) return [];
  return [{ kind: 'record', at: parseInstant(record.at), text: `${formatCount(record.count)} ${counted}` }];
}
