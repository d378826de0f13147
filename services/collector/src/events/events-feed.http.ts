import { eventsDigest } from './events-digest.ts';
import type { EventsFeed } from './events-feed.ts';
import { PageFailure } from '../network/page-failures.ts';
import type { PageValidators } from '../leaderboards/board-crawl-state.ts';
import type { OnPage } from '../replay/saved-page.ts';
import { METADATA_INTERVAL_SECONDS, slotAt } from '../slots/slot-times.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { FEED_MAX_BYTES } from '../feeds/feed-bounds.ts';
import type { Parse } from '../parsing/parse-task.process.ts';
import { withPageLock, type PageLockParts } from '../network/with-page-lock.http.ts';
import { conditionalHeaders, validatorsOf } from '../network/conditional-headers.http.ts';
import { expectDateIn } from '../network/html-response.http.ts';
import { jsonBodyOf } from '../network/json-response.http.ts';

const FEED = { timeoutMs: 10_000, maxBytes: FEED_MAX_BYTES };
/** Increment when the parser's result changes, to discard cached readings. */
const PARSER_VERSION = 1;

export interface NetworkEventsParts extends PageLockParts {
  telemetry: Telemetry;
  parse: Parse;
  now: () => number;
  /** Allowed distance of the feed's `Date` from the time since the previous poll. */
  toleranceSeconds: number;
  networkUrl: string;
  publicUrl: string;
  onPage?: OnPage;
}

type PublishReading = Parameters<EventsFeed['poll']>[1];

/** Parser version and digest; `""` while it is unknown what was published last. */
interface CachedDigest {
  reader: string;
  digest: string;
}

export function createNetworkEvents(parts: NetworkEventsParts): EventsFeed {
  const { client, pages, telemetry, parse, now, toleranceSeconds, networkUrl, publicUrl, onPage } = parts;
  const url = `${networkUrl}/feeds/events.json`;
  const reader = `${PARSER_VERSION} ${publicUrl}`;
  let flight: Promise<void> | undefined;

  return {
    isKnown: async () => ((await recalled()).remembered?.digest ?? '') !== '',
    poll(deadlineMs, say) {
      flight ??= news(deadlineMs, say).finally(() => (flight = undefined));
      return flight;
    },
  };

  async function news(deadlineMs: number, say: PublishReading): Promise<void> {
    try {
      await withPageLock(url, deadlineMs, parts, () => poll(say));
    } catch (error) {
      if (error instanceof PageFailure) telemetry.pageFailed('events', url, error);
      throw error;
    }
  }

  async function recalled() {
    const memo = await pages.get(url);
    return { memo, remembered: memo && (JSON.parse(memo.reading) as CachedDigest) };
  }

  function remember(validators: PageValidators, digest: string): Promise<void> {
    return pages.put(url, { ...validators, reading: JSON.stringify({ reader, digest } satisfies CachedDigest) });
  }

  async function poll(say: PublishReading): Promise<void> {
    const { memo, remembered } = await recalled();
    const known = remembered?.reader === reader && onPage === undefined ? memo : undefined;
    const asked = slotAt(now());
    const answer = await client.get(url, { Accept: 'application/json', ...conditionalHeaders(known) }, FEED);
    // A stale cache would withdraw events announced since.
    expectDateIn([asked - METADATA_INTERVAL_SECONDS, slotAt(now())], answer, toleranceSeconds);
    const body = jsonBodyOf(answer, known !== undefined);
    if (body === undefined) {
      telemetry.pageRead('events', 'unchanged');
      return;
    }
    const reading = await parse('events', body, `${publicUrl}/`);
    onPage?.(url, body.toString());
    telemetry.pageRead('events', 'read');
    const digest = eventsDigest(reading);
    if (digest !== remembered?.digest) {
      if (remembered?.digest !== '') await remember({ etag: null, lastModified: null }, '');
      await say(reading, digest);
    }
    const validators = validatorsOf(answer);
    const isNew = digest !== remembered?.digest || remembered.reader !== reader;
    if (!isNew && memo?.etag === validators.etag && memo.lastModified === validators.lastModified) return;
    await remember(validators, digest);
  }
}
