import { SLOT_SECONDS } from '@lobbystats/contracts';
import { PageFailure } from '../network/page-failures.ts';
import type { PlayersSource } from '../network/network.ts';
import { slotAt } from '../slots/slot-times.ts';
import { FEED_MAX_BYTES } from '../feeds/parse-feed.feed.ts';
import { expectDateIn, jsonBodyOf } from '../network/responses.http.ts';
import type { Turn } from '../network/rate-limited-client.http.ts';
import { reportFailures, withPageLock, type SiteParts } from '../network/site-requests.http.ts';

const FEED = { timeoutMs: 30_000, maxBytes: FEED_MAX_BYTES };

export function createNetworkPlayers(parts: SiteParts): PlayersSource {
  const { pages, telemetry, parse, now, toleranceSeconds, networkUrl, onPage } = parts;
  const url = `${networkUrl}/feeds/players.json`;

  return {
    intervalSeconds: SLOT_SECONDS,
    poll: (deadlineMs, say) =>
      reportFailures('players', url, parts, () => withPageLock(url, deadlineMs, parts, (turn) => poll(turn, say))),
  };

  async function poll(turn: Turn, say: Parameters<PlayersSource['poll']>[1]): Promise<void> {
    const memo = await pages.get(url);
    const since = memo === undefined ? '' : `?since=${encodeURIComponent(JSON.parse(memo.reading) as string)}`;
    const reading = await read(turn, since).catch((error: unknown) => {
      // The cursor may be too old for the network: start again with the players that are online now.
      if (since !== '' && error instanceof PageFailure && error.kind === 'rejected') return read(turn, '');
      throw error;
    });
    telemetry.pageRead('players', 'read');
    await say(reading);
    await pages.put(url, { etag: null, lastModified: null, reading: JSON.stringify(reading.next) });
  }

  async function read(turn: Turn, query: string) {
    const asked = slotAt(now());
    const answer = await turn.get(url + query, { Accept: 'application/json' }, FEED);
    // A stale cache would report players as online who were so earlier.
    expectDateIn([asked - SLOT_SECONDS, slotAt(now())], answer, toleranceSeconds);
    const body = jsonBodyOf(answer, false) ?? '';
    const reading = await parse('players', body);
    onPage?.(url + query, body.toString());
    return reading;
  }
}
