import type { BodyOf } from '@lobbystats/client';
import { operations } from '@lobbystats/contracts';
import { messageOf } from '@lobbystats/contracts/errors';
import { waitUntil } from '../faults/wait.ts';
import { Interruptions } from './interruptions.ts';

/** Responses of series-api that the gateways cache. */
const CACHED = [operations.getOnlineUsers, operations.getOnlineSummary, operations.getLobbySeries].map(
  ({ path }) => path,
);
const READ_EVERY_MS = 50;
const TIMEOUT_MS = 10_000;
const HOURS_MAX = 720;

/** Cached and uncached reads of series, until `stop`. */
export class SeriesLoad {
  readonly cachedReads = new Interruptions();
  /** Each has another query, so InfluxDB is asked. */
  readonly uncachedReads = new Interruptions();
  /** Uncached reads whose newest slot is older than that of an earlier read. */
  readonly regressions: string[] = [];
  readonly #stopping = new AbortController();
  readonly #running: Promise<unknown>;

  private constructor(url: string, titleIds: readonly string[]) {
    this.#running = Promise.all([this.#readCached(url), this.#readUncached(url, titleIds)]);
  }

  static async start(url: string): Promise<SeriesLoad> {
    const response = await fetch(url + operations.getOnlineUsers.path);
    const titles = (await response.json()) as BodyOf<'getOnlineUsers'>;
    return new SeriesLoad(
      url,
      Object.values(titles).map(({ titleId }) => titleId),
    );
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #readCached(url: string): Promise<void> {
    for (let index = 0; !this.#stopping.signal.aborted; index += 1) {
      await attempt(this.cachedReads, url + (CACHED[index % CACHED.length] ?? ''));
      await waitUntil(Date.now() + READ_EVERY_MS);
    }
  }

  async #readUncached(url: string, titleIds: readonly string[]): Promise<void> {
    let newest = '';
    for (let index = 0; !this.#stopping.signal.aborted; index += 1) {
      const titleId = titleIds[index % titleIds.length] ?? '';
      const hours = HOURS_MAX - (Math.floor(index / titleIds.length) % HOURS_MAX);
      const path = operations.getTitleOnlineHistory.path.replace(':titleId', titleId);
      const body = await attempt(this.uncachedReads, `${url}${path}?hours=${hours}`);
      const found = (body as BodyOf<'getTitleOnlineHistory'> | undefined)?.history.at(-1)?.recorded_at ?? newest;
      if (found < newest) this.regressions.push(`${found} after ${newest}`);
      else newest = found;
      await waitUntil(Date.now() + READ_EVERY_MS);
    }
  }
}

async function attempt(tracker: Interruptions, url: string): Promise<unknown> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const body: unknown = await response.json();
    if (response.status === 200) tracker.succeed();
    else tracker.fail(`${url}: ${response.status}`);
    return response.status === 200 ? body : undefined;
  } catch (error) {
    tracker.fail(`${url}: ${messageOf(error)}`);
    return undefined;
  }
}
