import { parseInstant, type operations, type OperationResponse } from '@lobbystats/contracts';
import type { PlotFlag } from '../plots/plot-data.ts';
import { formatCount } from './text.ts';

type CountRecord = OperationResponse<typeof operations.getNetworkRecords>['online'];

/** The mark of a highest count: `234 online`. None if it is unknown. */
export function recordFlags(record: CountRecord | undefined, counted: string): readonly PlotFlag[] {
  if (!record) return [];
  return [{ kind: 'record', at: parseInstant(record.at), text: `${formatCount(record.count)} ${counted}` }];
}
