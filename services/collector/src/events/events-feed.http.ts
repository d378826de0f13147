import { eventsDigest } from './events-poll.ts';
import type { EventsSource } from '../network/network.ts';
import type { PageValidators } from '../network/page-cache.ts';
import { METADATA_INTERVAL_SECONDS, slotAt } from '../slots/slot-times.ts';
import { FEED_MAX_BYTES } from '../feeds/parse-feed.feed.ts';
import { conditionalHeaders, validatorsOf, expectDateIn, jsonBodyOf } from '../network/responses.http.ts';
import type { Turn } from '../network/rate-limited-client.http.ts';
import { reportFailures, withPageLock, type SiteParts } from '../network/site-requests.http.ts';

const FEED = { timeoutMs: 10_000, maxBytes: FEED_MAX_BYTES };
/** Increment when the parser's result changes, to discard cached readings. */
const PARSER_VERSION = 1;

type PublishReading = Parameters<EventsSource['poll']>[1];

/** Parser version and digest; `""` while it is unknown what was published last. */
interface CachedDigest {
  reader: string;
  digest: string;
}

export function createNetworkEvents(parts: SiteParts): EventsSource {
  const { pages, telemetry, parse, now, toleranceSeconds, networkUrl, publicUrl, onPage } = parts;
  const url = `${networkUrl}/feeds/events.json`;
  const reader = `${PARSER_VERSION} ${publicUrl}`;
  let flight: Promise<void> | undefined;

  return {
    intervalSeconds: METADATA_INTERVAL_SECONDS,
    isKnown: async () => ((await recalled()).remembered?.digest ?? '') !== '',
    poll(deadlineMs, say) {
      flight ??= reportFailures('events', url, parts, () =>
        withPageLock(url, deadlineMs, parts, (turn) => poll(turn, say)),
      ).finally(() => (flight = undefined));
      return flight;
    },
  };

  async function recalled() {
    const memo = await pages.get(url);
    return { memo, remembered: memo && (JSON.parse(memo.reading) as CachedDigest) };
  }

  function remember(validators: PageValidators, digest: string): Promise<void> {
    return pages.put(url, { ...validators, reading: JSON.stringify({ reader, digest } satisfies CachedDigest) });
  }

  async function poll(turn: Turn, say: PublishReading): Promise<void> {
    const { memo, remembered } = await recalled();
    const known = remembered?.reader === reader && onPage === undefined ? memo : undefined;
    const asked = slotAt(now());
    const answer = await turn.get(url, { Accept: 'application/json', ...conditionalHeaders(known) }, FEED);
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
