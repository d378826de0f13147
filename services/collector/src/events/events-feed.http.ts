import { eventsDigest } from './events-poll.ts';
import type { EventsReading, EventsSource } from '../network/network.ts';
import type { PageValidators } from '../network/page-cache.ts';
import { METADATA_INTERVAL_SECONDS, slotAt } from '../slots/slot-times.ts';
import { urlOf } from '../network/page-reader.http.ts';
import { reportFailures, type SiteParts } from '../network/site-requests.http.ts';

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
  const form = forms.events;
  const url = form?.url({}) ?? '';
  const reader = `${PARSER_VERSION} ${forms.version}`;
  let flight: Promise<void> | undefined;

  return {
    intervalSeconds: form?.intervalSeconds ?? METADATA_INTERVAL_SECONDS,
    isKnown: async () => ((await recalled()).remembered?.digest ?? '') !== '',
    async poll(deadlineMs, publish) {
      urlOf(forms, SOURCE);
      flight ??= reportFailures('events', url, parts, () => poll(deadlineMs, publish)).finally(
        () => (flight = undefined),
      );
      return flight;
    },
  };

  async function recalled() {
    const cached = await pages.get(url);
    return { cached, remembered: cached && (JSON.parse(cached.reading) as CachedDigest) };
  }

  function remember(validators: PageValidators, digest: string): Promise<void> {
    return pages.put(url, { ...validators, reading: JSON.stringify({ reader, digest } satisfies CachedDigest) }, now());
  }

  async function poll(deadlineMs: number, publish: PublishReading): Promise<void> {
    const { cached, remembered } = await recalled();
    const known = remembered?.reader === reader && isConditional ? cached : undefined;
    const seenAt = slotAt(now());
    // A stale cache would withdraw events announced since.
    const made = { first: seenAt - (form?.intervalSeconds ?? 0), leewaySeconds };
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
