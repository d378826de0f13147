import { COMPARED_GAMES_MAX, HOUR_SECONDS, operations } from '@lobbystats/contracts';
import type { PageData } from '../page.ts';
import type { PlotData } from '../plots/plot-data.ts';
import { timePlot } from '../plots/time-cells.ts';
import { snapshotPeriod } from './ranges.ts';

const { compareGames } = operations;

/** Operations that {@link lastDays} asks. */
export const lastDaysOperations = [compareGames] as const;

/** The last 24 hours of some games in hours, for {@link sparkline}; without those that are unavailable. */
export async function lastDays(titleIds: readonly string[], data: PageData): Promise<ReadonlyMap<string, PlotData>> {
  const period = { ...snapshotPeriod('24h', data.now), step: HOUR_SECONDS };
  const groups = Array.from({ length: Math.ceil(titleIds.length / COMPARED_GAMES_MAX) }, (_, index) =>
    titleIds.slice(index * COMPARED_GAMES_MAX, (index + 1) * COMPARED_GAMES_MAX),
  );
  const compared = await Promise.all(
    groups.map((group) => data.find(compareGames, {}, { titleIds: group.join(','), resolution: '60' })),
  );
  return new Map(
    compared
      .flatMap((response) => response?.games ?? [])
      .map(({ titleId, history }) => [
        titleId,
        timePlot(
          [{ label: '', rows: history, at: (row) => row.recorded_at, value: (row) => row.online_count }],
          period,
        ),
      ]),
  );
}
