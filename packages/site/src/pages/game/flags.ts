import { operations } from '@lobbystats/contracts';
import type { PlotFlag } from '../../plots/plot-data.ts';
import type { PageData } from '../../page.ts';
import { networkOutages, networkOutagesOperations } from '../../parts/outages.ts';
import type { PlotRange } from '../../parts/ranges.ts';
import { eventFlags, recordFlags } from '../../parts/record-flags.ts';

const { getGameRecords, listEvents } = operations;

/** Operations that {@link gameFlags} asks. */
export const gameFlagsOperations = [...networkOutagesOperations, getGameRecords, listEvents] as const;

/** Marks for the plots of a game: its events, outages of the network, and the record of what is plotted. */
export async function gameFlags(
  titleId: string,
  range: PlotRange,
  data: PageData,
): Promise<Record<'online' | 'lobbies', readonly PlotFlag[]>> {
  const [records, outages, events] = await Promise.all([
    data.askPart(getGameRecords, { titleId }),
    networkOutages(range, data),
    data.askPart(listEvents, {}, { titleId }),
  ]);
  const both = [...outages, ...eventFlags(events ?? [])];
  return {
    online: [...both, ...recordFlags(records?.online, 'online')],
    lobbies: [...both, ...recordFlags(records?.lobbies, 'open lobbies')],
  };
}
