import {
  compareCodePoints,
  formatTimestamp,
  type EpochSeconds,
  type operations,
  type Reply,
} from '@lobbystats/contracts';
import { reply } from './reply.ts';
import { lastHours } from './periods.ts';
import type { SeriesPoint, SeriesReader, TitlePeak } from './series-reader.ts';

type SummaryPeriod = 'today' | '7d';

const hoursOf: Record<SummaryPeriod, number> = { today: 24, '7d': 168 };

export async function getOnlineSummary(
  store: Pick<SeriesReader, 'siteOnline' | 'siteLobbies' | 'titlePeaks'>,
  period: SummaryPeriod,
  now: EpochSeconds,
): Promise<Reply<typeof operations.getOnlineSummary>> {
  const last = lastHours(now, hoursOf[period]);
  const [online, lobbies, titles] = await Promise.all([
    store.siteOnline(last),
    store.siteLobbies(last),
    store.titlePeaks(last),
  ]);
  const [peakOnlineAt, peakOnline] = peakOf(online);
  const [peakLobbiesAt, peakLobbies] = peakOf(lobbies);
  const mostPlayed = titles.toSorted(byPeak)[0];
  const body = {
    period,
    peakOnline,
    peakOnlineAt,
    peakLobbies,
    peakLobbiesAt,
    mostPlayedGame: mostPlayed ? { name: mostPlayed.name, titleId: mostPlayed.titleId, peak: mostPlayed.peak } : null,
    gamesWithActivityCount: titles.filter(({ peak }) => peak > 0).length,
    totalSnapshotCount: online.length,
  };
  return reply(body, online.at(-1)?.[0]);
}

function peakOf(points: readonly SeriesPoint[]): [at: string | null, peak: number] {
  let peak: SeriesPoint | undefined;
  for (const point of points) if (peak === undefined || point[1] > peak[1]) peak = point;
  return peak === undefined ? [null, 0] : [formatTimestamp(peak[0]), peak[1]];
}

function byPeak(a: TitlePeak, b: TitlePeak): number {
  return (
    b.peak - a.peak || b.total - a.total || compareCodePoints(a.name, b.name) || compareCodePoints(a.titleId, b.titleId)
  );
}
