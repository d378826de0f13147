import { SLOT_SECONDS } from '@lobbystats/contracts';
import { PageFailure } from '../network/page-failures.ts';
import type { PlayersSource } from '../network/network.ts';
import { slotAt } from '../slots/slot-times.ts';
import { FEED_MAX_BYTES } from '../feeds/parse-feed.feed.ts';
import { expectDateIn } from '../network/responses.http.ts';
import type { Turn } from '../network/rate-limited-client.http.ts';
import {
  acceptOf,
  bodyOf,
  expectForm,
  reportFailures,
  withPageLock,
  type SiteParts,
} from '../network/site-requests.http.ts';

const FEED = { timeoutMs: 30_000, maxBytes: FEED_MAX_BYTES };

export function createNetworkPlayers(parts: SiteParts): PlayersSource {
  const { pages, telemetry, forms, now, toleranceSeconds, onPage } = parts;
  const form = forms.players;
  /** Names the lock and the stored cursor. */
  const url = form?.url({ since: null }) ?? '';

  return {
    intervalSeconds: form?.intervalSeconds ?? SLOT_SECONDS,
    poll: async (deadlineMs, say) => {
      expectForm(form);
      await reportFailures('players', url, parts, () =>
        withPageLock(url, deadlineMs, parts, (turn) => poll(turn, say)),
      );
    },
  };

  async function poll(turn: Turn, say: Parameters<PlayersSource['poll']>[1]): Promise<void> {
    const memo = await pages.get(url);
    const since = memo === undefined ? null : (JSON.parse(memo.reading) as string | null);
    const reading = await read(turn, since).catch((error: unknown) => {
      // The cursor may be too old for the network: start again with the players that are online now.
      if (since !== null && error instanceof PageFailure && error.kind === 'rejected') return read(turn, null);
      throw error;
    });
    telemetry.pageRead('players', 'read');
    await say(reading);
    await pages.put(url, { etag: null, lastModified: null, reading: JSON.stringify(reading.next) });
  }

  async function read(turn: Turn, since: string | null) {
    const { type, intervalSeconds, ...source } = expectForm(form);
    const from = source.url({ since });
    const asked = slotAt(now());
    const answer = await turn.get(from, acceptOf(type), FEED);
    // A stale cache would report players as online who were so earlier.
    expectDateIn([asked - intervalSeconds, slotAt(now())], answer, toleranceSeconds);
    const body = bodyOf(type, answer, false) ?? Buffer.of();
    const reading = await source.read(body, { since }, asked);
    onPage?.(from, body.toString());
    return reading;
  }
}
