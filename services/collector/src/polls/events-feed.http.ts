import { eventsDigest } from './events-poll.ts';
import type { EventsReading, EventsSource } from '../network/network.ts';
import type { PageValidators } from '../network/page-cache.ts';
import { METADATA_INTERVAL_SECONDS, slotAt } from '../time/slot-times.ts';
import { urlOf } from '../sources/client/page-reader.http.ts';
import { reportFailures, type SiteParts } from '../sources/client/site-requests.http.ts';

/** Increment when the parser's result changes, to discard cached readings. */
const PARSER_VERSION = 1;

const SOURCE = { source: 'events', values: {} } as const;

type PublishReading = Parameters<EventsSource['poll']>[1];

/** Parser version and digest; `""` while it is unknown what was published last. */
interface CachedDigest {
  reader: string;
  digest: string;
}

export function createNetworkEvents(parts: SiteParts): EventsSource {
  const { client, pages, telemetry, forms, now, toleranceSeconds: leewaySeconds, isConditional } = parts;
  const intervalSeconds = () => forms.events?.intervalSeconds ?? METADATA_INTERVAL_SECONDS;
  const readerNow = () => `${PARSER_VERSION} ${forms.version}`;
  let flight: Promise<void> | undefined;

  return {
    get intervalSeconds() {
      return intervalSeconds();
    },
    isKnown: async () =>
      forms.events !== null && ((await recalled(urlOf(forms, SOURCE))).remembered?.digest ?? '') !== '',
    async poll(deadlineMs, publish) {
      const url = urlOf(forms, SOURCE);
      flight ??= reportFailures('events', url, parts, () => poll(url, deadlineMs, publish)).finally(
        () => (flight = undefined),
      );
      return flight;
    },
  };

  async function recalled(url: string) {
    const cached = await pages.get(url);
    return { cached, remembered: cached && (JSON.parse(cached.reading) as CachedDigest) };
  }

  async function poll(url: string, deadlineMs: number, publish: PublishReading): Promise<void> {
    const reader = readerNow();
    const remember = (validators: PageValidators, digest: string): Promise<void> =>
      pages.put(url, { ...validators, reading: JSON.stringify({ reader, digest } satisfies CachedDigest) }, now());
    const { cached, remembered } = await recalled(url);
    const known = remembered?.reader === reader && isConditional ? cached : undefined;
    const seenAt = slotAt(now());
    // A stale cache would withdraw events announced since.
    const made = { first: seenAt - intervalSeconds(), leewaySeconds };
    const validators = known && { etag: known.etag, lastModified: known.lastModified };
    const response = await client.ask({ ...SOURCE, seenAt, validators, made }, { deadlineMs });
    if (response.kind !== 'read') {
      telemetry.pageRead('events', 'unchanged');
      return;
    }
    const reading = response.reading as EventsReading;
    telemetry.pageRead('events', 'read');
    const digest = eventsDigest(reading);
    if (digest !== remembered?.digest) {
      if (remembered?.digest !== '') await remember({ etag: null, lastModified: null }, '');
      await publish(reading, digest);
    }
    const present = response.validators;
    const isNew = digest !== remembered?.digest || remembered.reader !== reader;
    if (!isNew && cached?.etag === present.etag && cached.lastModified === present.lastModified) return;
    await remember(present, digest);
  }
}
