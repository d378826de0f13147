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

/** Limits of the feed. */
const FEED = { timeoutMs: 10_000, maxBytes: FEED_MAX_BYTES };
/** Grows whenever the reader reads something else off the same feed: then it is read anew. */
const READER = 1;

export interface NetworkEventsParts extends ClaimingParts {
  telemetry: Telemetry;
  parse: Parse;
  /** Epoch milliseconds. */
  now: () => number;
  /** How far the feed's `Date` may lie outside of the time since the look before. */
  toleranceSeconds: number;
  /** Where the network is, and where browsers reach it; without a slash at the end. */
  networkUrl: string;
  publicUrl: string;
  /** Gets the feed as it came. If given, it is asked for whole, changed or not. */
  onPage?: OnPage;
}

type Say = Parameters<EventsFeed['news']>[1];

/** What is remembered of the feed: by whom it was read, and what it said; `""` when nobody knows what was last told. */
interface Remembered {
  reader: string;
  digest: string;
}

/** The network's feed of events over HTTP. What was told is remembered with the feed's validators: unchanged, it costs no reading. */
export function createNetworkEvents(parts: NetworkEventsParts): EventsFeed {
  const { client, pages, telemetry, parse, now, toleranceSeconds, networkUrl, publicUrl, onPage } = parts;
  const url = `${networkUrl}/feeds/events.json`;
  const reader = `${READER} ${publicUrl}`;
  /** Two who ask at the same time get it with one request. */
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
    // What a cache has kept for longer would withdraw what was announced since.
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
      // Whether it was said is not known until that is confirmed: then even what was said before would be news.
      if (remembered?.digest !== '') await remember({ etag: null, lastModified: null }, '');
      await say(reading, digest);
    }
    const validators = validatorsOf(answer);
    const isNew = digest !== remembered?.digest || remembered.reader !== reader;
    if (!isNew && memo?.etag === validators.etag && memo.lastModified === validators.lastModified) return;
    await remember(validators, digest);
  }
}
