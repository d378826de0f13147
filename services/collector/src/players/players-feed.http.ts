import { SLOT_SECONDS } from '@lobbystats/contracts';
import { PageFailure } from '../network/page-failures.ts';
import type { PlayersFeed } from './players-feed.ts';
import type { OnPage } from '../replay/saved-page.ts';
import { slotAt } from '../slots/slot-times.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { FEED_MAX_BYTES } from '../feeds/feed-bounds.ts';
import type { Parse } from '../parsing/parse-task.process.ts';
import { withPageLock, type PageLockParts } from '../network/with-page-lock.http.ts';
import { expectDateIn } from '../network/html-response.http.ts';
import { jsonBodyOf } from '../network/json-response.http.ts';

const FEED = { timeoutMs: 30_000, maxBytes: FEED_MAX_BYTES };

export interface NetworkPlayersParts extends PageLockParts {
  telemetry: Telemetry;
  parse: Parse;
  now: () => number;
  /** Allowed distance of the feed's `Date` from the time since the previous poll. */
  toleranceSeconds: number;
  networkUrl: string;
  onPage?: OnPage;
}

export function createNetworkPlayers(parts: NetworkPlayersParts): PlayersFeed {
  const { client, pages, telemetry, parse, now, toleranceSeconds, networkUrl, onPage } = parts;
  const url = `${networkUrl}/feeds/players.json`;

  return {
    async poll(deadlineMs, say) {
      try {
        await withPageLock(url, deadlineMs, parts, () => poll(say));
      } catch (error) {
        if (error instanceof PageFailure) telemetry.pageFailed('players', url, error);
        throw error;
      }
    },
  };

  async function poll(say: Parameters<PlayersFeed['poll']>[1]): Promise<void> {
    const memo = await pages.get(url);
    const since = memo === undefined ? '' : `?since=${encodeURIComponent(JSON.parse(memo.reading) as string)}`;
    const reading = await read(since).catch((error: unknown) => {
      // The cursor may be too old for the network: start again with the players that are online now.
      if (since !== '' && error instanceof PageFailure && error.kind === 'refused') return read('');
      throw error;
    });
    telemetry.pageRead('players', 'read');
    await say(reading);
    await pages.put(url, { etag: null, lastModified: null, reading: JSON.stringify(reading.next) });
  }

  async function read(query: string) {
    const asked = slotAt(now());
    const answer = await client.get(url + query, { Accept: 'application/json' }, FEED);
    // A stale cache would report players as online who were so earlier.
    expectDateIn([asked - SLOT_SECONDS, slotAt(now())], answer, toleranceSeconds);
    const body = jsonBodyOf(answer, false) ?? '';
    const reading = await parse('players', body);
    onPage?.(url + query, body.toString());
    return reading;
  }
}
