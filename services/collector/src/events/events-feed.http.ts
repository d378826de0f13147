import { eventsDigest } from './events-poll.ts';
import type { EventsSource } from '../network/network.ts';
import type { PageValidators } from '../network/page-cache.ts';
import { METADATA_INTERVAL_SECONDS, slotAt } from '../slots/slot-times.ts';
import { FEED_MAX_BYTES } from '../feeds/parse-feed.feed.ts';
import { conditionalHeaders, validatorsOf, expectDateIn } from '../network/responses.http.ts';
import type { Turn } from '../network/rate-limited-client.http.ts';
import {
  acceptOf,
  bodyOf,
  expectForm,
  reportFailures,
  withPageLock,
  type SiteParts,
} from '../network/site-requests.http.ts';

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
  const { pages, telemetry, forms, now, toleranceSeconds, onPage } = parts;
  const form = forms.events;
  const url = form?.url({}) ?? '';
  const reader = `${PARSER_VERSION} ${forms.version}`;
  let flight: Promise<void> | undefined;

  return {
    intervalSeconds: form?.intervalSeconds ?? METADATA_INTERVAL_SECONDS,
    isKnown: async () => ((await recalled()).remembered?.digest ?? '') !== '',
    async poll(deadlineMs, say) {
      expectForm(form);
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
    const { type, read, intervalSeconds } = expectForm(form);
    const { memo, remembered } = await recalled();
    const known = remembered?.reader === reader && onPage === undefined ? memo : undefined;
    const asked = slotAt(now());
    const answer = await turn.get(url, { ...acceptOf(type), ...conditionalHeaders(known) }, FEED);
    // A stale cache would withdraw events announced since.
    expectDateIn([asked - intervalSeconds, slotAt(now())], answer, toleranceSeconds);
    const body = bodyOf(type, answer, known !== undefined);
    if (body === undefined) {
      telemetry.pageRead('events', 'unchanged');
      return;
    }
    const reading = await read(body, {}, asked);
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
