import { eventsDigest } from '../../domain/events-digest.ts';
import type { EventsFeed } from '../../domain/events-feed.ts';
import { PageFailure } from '../../domain/page-failures.ts';
import type { PageValidators } from '../../domain/board-memory.ts';
import type { OnPage } from '../../domain/saved-page.ts';
import { METADATA_SECONDS, slotAt } from '../../domain/slot-times.ts';
import type { Telemetry } from '../../domain/telemetry.ts';
import { FEED_MAX_BYTES } from '../json/feed-bounds.ts';
import type { Parse } from '../parser/parse-task.ts';
import { claimed, type ClaimingParts } from './claimed.ts';
import { conditionsOf, validatorsOf } from './conditional.ts';
import { expectDateIn } from './html-answer.ts';
import { jsonBodyOf } from './json-answer.ts';

const FEED = { timeoutMs: 10_000, maxBytes: FEED_MAX_BYTES };
/** Increment when the reader's result changes: remembered readings are then discarded. */
const READER = 1;

export interface NetworkEventsParts extends ClaimingParts {
  telemetry: Telemetry;
  parse: Parse;
  now: () => number;
  /** Allowed distance of the feed's `Date` from the time since the previous poll. */
  toleranceSeconds: number;
  networkUrl: string;
  publicUrl: string;
  onPage?: OnPage;
}

type Say = Parameters<EventsFeed['news']>[1];

/** Parser version and digest; `""` while it is unknown what was published last. */
interface Remembered {
  reader: string;
  digest: string;
}

export function createNetworkEvents(parts: NetworkEventsParts): EventsFeed {
  const { client, pages, telemetry, parse, now, toleranceSeconds, networkUrl, publicUrl, onPage } = parts;
  const url = `${networkUrl}/feeds/events.json`;
  const reader = `${READER} ${publicUrl}`;
  let flight: Promise<void> | undefined;

  return {
    isKnown: async () => ((await recalled()).remembered?.digest ?? '') !== '',
    news(deadlineMs, say) {
      flight ??= news(deadlineMs, say).finally(() => (flight = undefined));
      return flight;
    },
  };

  async function news(deadlineMs: number, say: Say): Promise<void> {
    try {
      await claimed(url, deadlineMs, parts, () => tell(say));
    } catch (error) {
      if (error instanceof PageFailure) telemetry.pageFailed('events', url, error);
      throw error;
    }
  }

  async function recalled() {
    const memo = await pages.recall(url);
    return { memo, remembered: memo && (JSON.parse(memo.reading) as Remembered) };
  }

  function remember(validators: PageValidators, digest: string): Promise<void> {
    return pages.remember(url, { ...validators, reading: JSON.stringify({ reader, digest } satisfies Remembered) });
  }

  async function tell(say: Say): Promise<void> {
    const { memo, remembered } = await recalled();
    const known = remembered?.reader === reader && onPage === undefined ? memo : undefined;
    const asked = slotAt(now());
    const answer = await client.get(url, { Accept: 'application/json', ...conditionsOf(known) }, FEED);
    // A stale cache would withdraw events announced since.
    expectDateIn([asked - METADATA_SECONDS, slotAt(now())], answer, toleranceSeconds);
    const body = jsonBodyOf(answer, known !== undefined);
    if (body === undefined) {
      telemetry.pageHad('events', 'unchanged');
      return;
    }
    const reading = await parse('events', body, `${publicUrl}/`);
    onPage?.(url, body.toString());
    telemetry.pageHad('events', 'read');
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
