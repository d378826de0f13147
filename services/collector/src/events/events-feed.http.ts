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
    async poll(deadlineMs, say) {
      urlOf(forms, SOURCE);
      flight ??= reportFailures('events', url, parts, () => poll(deadlineMs, say)).finally(() => (flight = undefined));
      return flight;
    },
  };

  async function recalled() {
    const memo = await pages.get(url);
    return { memo, remembered: memo && (JSON.parse(memo.reading) as CachedDigest) };
  }

  function remember(validators: PageValidators, digest: string): Promise<void> {
    return pages.put(url, { ...validators, reading: JSON.stringify({ reader, digest } satisfies CachedDigest) }, now());
  }

  async function poll(deadlineMs: number, say: PublishReading): Promise<void> {
    const { memo, remembered } = await recalled();
    const known = remembered?.reader === reader && isConditional ? memo : undefined;
    const seenAt = slotAt(now());
    // A stale cache would withdraw events announced since.
    const made = { first: seenAt - (form?.intervalSeconds ?? 0), leewaySeconds };
    const validators = known && { etag: known.etag, lastModified: known.lastModified };
    const answer = await client.ask({ ...SOURCE, seenAt, validators, made }, { deadlineMs });
    if (answer.kind !== 'read') {
      telemetry.pageRead('events', 'unchanged');
      return;
    }
    const reading = answer.reading as EventsReading;
    telemetry.pageRead('events', 'read');
    const digest = eventsDigest(reading);
    if (digest !== remembered?.digest) {
      if (remembered?.digest !== '') await remember({ etag: null, lastModified: null }, '');
      await say(reading, digest);
    }
    const present = answer.validators;
    const isNew = digest !== remembered?.digest || remembered.reader !== reader;
    if (!isNew && memo?.etag === present.etag && memo.lastModified === present.lastModified) return;
    await remember(present, digest);
  }
}
