import { formatTimestamp, operations, SLOT_SECONDS, slotOf } from '@lobbystats/contracts';

/** Response bodies by path. */
export type UpstreamResponses = ReadonlyMap<string, string>;

/** Approximate size of a history row, with its comma. */
const ROW_BYTES = JSON.stringify({ recorded_at: '2026-01-31 18:05:00', online_count: 1234 }).length + 1;

/** Titles with histories of about the given sizes. */
export function upstreamResponses(historyBytes: readonly number[], version = 0): UpstreamResponses {
  const titles = historyBytes.map((_, index) => ({
    titleId: titleIdOf(index),
    name: `Game ${index}`,
    title: `Game ${index}: the game`,
    image: '',
    publisher: 'Northlight',
    releaseDate: '2001-11-15',
    productCode: '',
  }));
  const answers = new Map([[operations.listTitles.path, JSON.stringify({ revision: 1, titles })]]);
  for (const [index, bytes] of historyBytes.entries()) {
    const rows = Math.floor(bytes / ROW_BYTES);
    answers.set(historyPath(index), JSON.stringify(historyOf(index, rows, version)));
  }
  return answers;
}

/** The path of a title history, at series-api and at the gateway. */
export function historyPath(index: number): string {
  return operations.getTitleOnlineHistory.path.replace(':titleId', titleIdOf(index));
}

function titleIdOf(index: number): string {
  return (0x4d530000 + index).toString(16);
}

/** Counts with a daily cycle and noise, so that gzip compresses them realistically. */
function historyOf(index: number, rows: number, version: number) {
  const newest = slotOf(1_800_000_000);
  const history = Array.from({ length: rows }, (_, row) => {
    const hourly = Math.round(1500 * (1 + Math.sin(row / 40)));
    return {
      recorded_at: formatTimestamp(newest - (rows - 1 - row) * SLOT_SECONDS),
      online_count: hourly + ((row * 7919 + index * 104_729 + version) % 211),
    };
  });
  return { titleId: titleIdOf(index), gameName: `Game ${index}`, hours: 48, resolution: 'raw', history };
}
