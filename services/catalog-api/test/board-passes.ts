import {
  BOARD_PASS_SECONDS,
  boardObserved,
  formatInstant,
  formatRaceTime,
  type ObservedEntry,
} from '@lobbystats/contracts';
import { NOW, waitUntil, type ApiResponse, type RunningCatalog } from './running-catalog.ts';

/** A board as a pass found it; `entries` null: the network no longer has it. */
export interface Pass {
  readonly titleId?: string;
  readonly leaderboardId?: number;
  readonly name?: string;
  /** In how many hours from {@link NOW}. */
  readonly hour?: number;
  readonly isTime?: boolean;
  readonly entries: readonly ObservedEntry[] | null;
}

export const TITLE = '4d530064';

/** When an observation of that hour's pass was made. */
export function seenAt(hour: number): number {
  return NOW + hour * BOARD_PASS_SECONDS + 60;
}

/** Publishes passes in this order and waits until they are applied. Moves the clock along. */
export async function observeBoards(catalog: RunningCatalog, ...passes: readonly Pass[]): Promise<void> {
  for (const pass of passes) {
    const { titleId = TITLE, leaderboardId = 1, name = 'Old Pier', hour = 0, isTime = true, entries } = pass;
    catalog.clock.nowMs = Math.max(catalog.clock.nowMs, seenAt(hour) * 1000);
    await catalog.bus.publish(boardObserved, {
      titleId,
      leaderboardId,
      name: entries === null ? '' : name,
      pass: formatInstant(NOW + hour * BOARD_PASS_SECONDS),
      seenAt: formatInstant(seenAt(hour)),
      board: entries === null ? null : { isTime, entries: [...entries] },
    });
  }
  await waitUntil(async () => (await catalog.bus.depth('catalog-api')) === 0);
}

/** The entries of a time board, ranked by position. */
export function times(rows: readonly (readonly [name: string, timeMs: number])[]): ObservedEntry[] {
  return rows.map(([name, timeMs], index) => ({ rank: index + 1, name, rating: `0${formatRaceTime(timeMs)}`, timeMs }));
}

/** The entries of a score board, ranked by position. */
export function scores(rows: readonly (readonly [name: string, rating: string])[]): ObservedEntry[] {
  return rows.map(([name, rating], index) => ({ rank: index + 1, name, rating, timeMs: 0 }));
}

/** Posts a value as JSON, or a text unchanged. */
export async function post(catalog: RunningCatalog, path: string, body: unknown): Promise<ApiResponse> {
  const response = await fetch(catalog.url + path, {
    method: 'POST',
    headers: { connection: 'close', 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** The query of the next page in the `Link` header. */
export function nextQuery({ headers }: ApiResponse): string | undefined {
  return /^<(\?[^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
}
