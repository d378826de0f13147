import { createHash } from 'node:crypto';
import { chunk } from '@lobbystats/service-kit/concurrency';
import {
  formatDate,
  PRODUCT_CODE_MAX,
  TITLE_TEXT_MAX,
  type EpochSeconds,
  type ObservedMetadata,
} from '@lobbystats/contracts';
import type { ObservationPublisher } from '../network/observation-publisher.ts';
import type { HomeTitle, PageMetadata, NetworkSource } from '../network/network.ts';
import type { AnnouncedTitles } from './announced-titles.ts';
import type { AdmitTitles } from './title-admission.ts';
import { PageFailure } from '../network/page-failures.ts';
import { deadlineMsOf, slotAt } from '../time/slot-times.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { Time } from '../time/time.ts';

const CHUNK_SIZE = 1000;

export interface TitleAnnouncer {
  /** Publishes homepage changes of titles. */
  publishHomes(titles: readonly HomeTitle[], seenAt: EpochSeconds): Promise<void>;
  /** Publishes metadata changes of a title, and stores the slot in which its page was read. */
  publishPage(titleId: string, metadata: PageMetadata | null, slot: EpochSeconds, seenAt: EpochSeconds): Promise<void>;
}

/**
 * Publishes each change of titles once. Memory is updated after publishing, so a crash publishes again. Everything is
 * published again once a UTC day, for consumers that lost data.
 */
export function createTitleAnnouncer(
  publisher: ObservationPublisher,
  memory: AnnouncedTitles,
  past: boolean,
): TitleAnnouncer {
  return {
    async publishHomes(titles, seenAt) {
      const announcedTitles = await memory.all();
      const news = titles
        .map((title) => ({
          title,
          digest: digestOf(seenAt, [title.name, title.image, title.publisher, title.productCode]),
        }))
        .filter(
          ({ title, digest }) => withinBound(title.name) !== '' && announcedTitles.get(title.titleId)?.home !== digest,
        );
      for (const some of chunk(news, CHUNK_SIZE)) {
        const observed = some.map(({ title }): ObservedMetadata => {
          const { titleId, name, image, publisher: company, productCode } = title;
          const code = withinBound(productCode, PRODUCT_CODE_MAX);
          const home = { name: name.toWellFormed(), image, publisher: withinBound(company), productCode: code };
          return { titleId, home };
        });
        await publisher.publishTitles(seenAt, observed, { past });
        await memory.recordHomes(
          new Map(some.map(({ title: { titleId, image }, digest }) => [titleId, { digest, image }])),
        );
      }
    },
    async publishPage(titleId, metadata, slot, seenAt) {
      const digest =
        metadata === null ? null : digestOf(seenAt, [metadata.title, metadata.publisher, metadata.releaseDate]);
      if (metadata !== null && (await memory.get(titleId))?.page !== digest) {
        const page = { ...metadata, title: withinBound(metadata.title), publisher: withinBound(metadata.publisher) };
        await publisher.publishTitles(seenAt, [{ titleId, page }], { past });
      }
      await memory.recordPage(titleId, digest, slot);
    },
  };
}

/** A text that is too long is unknown: a part of it would be another one. */
function withinBound(text: string, max = TITLE_TEXT_MAX): string {
  return text.length > max ? '' : text.toWellFormed();
}

function digestOf(seenAt: EpochSeconds, texts: string[]): string {
  return createHash('sha256')
    .update(JSON.stringify([formatDate(seenAt), ...texts]))
    .digest('base64url');
}

/** The next slot reads the same titles, so a failure is final. */
const TIMEOUT_MS = 30_000;

export interface BootstrapTitlesParts {
  network: Pick<NetworkSource, 'homepage'>;
  titles: AnnouncedTitles;
  admit: AdmitTitles;
  announcer: TitleAnnouncer;
  telemetry: Telemetry;
  time: Time;
}

/**
 * Reads the homepage at a first start for title names, which the backfill lacks until the first slot, minutes later. No
 * effect when titles are known. Never rejects.
 */
export async function bootstrapTitles(parts: BootstrapTitlesParts): Promise<void> {
  const { network, titles, admit, announcer, telemetry, time } = parts;
  try {
    const slot = slotAt(time.now());
    if (time.now() < deadlineMsOf(slot) || (await titles.all()).size > 0) return;
    const reading = await network.homepage({ slot, deadlineMs: time.now() + TIMEOUT_MS });
    const admitted = await admit(slot, reading);
    await announcer.publishHomes(admitted.titles, Math.floor(time.now() / 1000));
  } catch (error) {
    // PageFailures are already counted and logged.
    if (!(error instanceof PageFailure)) telemetry.fault('bootstrapping titles failed', error);
  }
}
