import { DAY_SECONDS, SLOT_SECONDS, type EpochSeconds } from '@lobbystats/contracts';
import type { ObservationPublisher } from '../network/observation-publisher.ts';
import { PageFailure } from '../network/page-failures.ts';
import { endMsOf } from '../time/slot-times.ts';
import type { Time } from '../time/time.ts';
import type { AnnouncedTitle, AnnouncedTitles } from '../titles/announced-titles.ts';
import type { IconSource } from './icon-source.ts';

export interface IconsPollParts {
  icons: IconSource;
  titles: Pick<AnnouncedTitles, 'all' | 'recordIcon'>;
  publisher: Pick<ObservationPublisher, 'publishIcon'>;
  time: Time;
  stopping: AbortSignal;
  /** Icons that one slot reads. */
  maxPerSlot: number;
}

/** A day is long for a picture, and short for a consumer that lost it: an unchanged icon is published again, too. */
const INTERVAL_SECONDS = DAY_SECONDS;
/** After a failure of the network, not of the icon. */
const RETRY_SECONDS = 3600;

/** A tenth of the requests that the rate limit allows in a slot. */
export function maxIconsPerSlot(perSecond: number): number {
  return Math.ceil((perSecond * SLOT_SECONDS) / 10);
}

/** Reads icons one after another: of titles that have none yet, of changed addresses, then the oldest. */
export function createIconsPoll({ icons, titles, publisher, time, stopping, maxPerSlot }: IconsPollParts) {
  return async (slot: EpochSeconds): Promise<void> => {
    for (const [titleId, image] of dueIcons(await titles.all(), slot).slice(0, maxPerSlot)) {
      if (stopping.aborted || !(await readIcon(titleId, image, slot))) return;
    }
  };

  /** Returns false when further icons of the slot would fail alike. */
  async function readIcon(titleId: string, image: string, slot: EpochSeconds): Promise<boolean> {
    try {
      const icon = await icons.icon(image, endMsOf(slot));
      const seenAt = Math.floor(time.now() / 1000);
      if (icon !== undefined) await publisher.publishIcon({ titleId, seenAt, image: icon });
      await titles.recordIcon(titleId, slot);
      return true;
    } catch (error) {
      if (!(error instanceof PageFailure)) throw error;
      if (error.kind === 'busy') return true;
      if (error.kind === 'late' || error.kind === 'rate-limited') return false;
      const isUnavailable = error.kind === 'unavailable';
      await titles.recordIcon(titleId, isUnavailable ? slot - INTERVAL_SECONDS + RETRY_SECONDS : slot);
      return !isUnavailable;
    }
  }
}

function dueIcons(titles: ReadonlyMap<string, AnnouncedTitle>, slot: EpochSeconds): [titleId: string, image: string][] {
  return [...titles]
    .filter(([, { image, iconAt }]) => image !== '' && (iconAt === null || iconAt <= slot - INTERVAL_SECONDS))
    .sort(([, one], [, other]) => (one.iconAt ?? 0) - (other.iconAt ?? 0))
    .map(([titleId, { image }]) => [titleId, image]);
}
