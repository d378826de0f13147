import { growthAllowance } from '@lobbystats/service-kit/concurrency';
import { DAY_SECONDS, TITLES_MAX, type EpochSeconds } from '@lobbystats/contracts';
import type { HomepageReading } from '../network/network.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { AnnouncedTitle, AnnouncedTitles } from './announced-titles.ts';

/** New titles of 24 hours: networks add a few a month. */
export const NEW_TITLES = { base: 50, share: 0.1 };

/**
 * Leaves titles out of a homepage that has absurdly many new ones: nothing of them is stored, read or published. What it
 * still has in the first slot of a UTC day is admitted as far as the limit of the day allows.
 */
export type AdmitTitles = (slot: EpochSeconds, reading: HomepageReading) => Promise<HomepageReading>;

export function createTitleAdmission(memory: AnnouncedTitles, telemetry: Telemetry): AdmitTitles {
  return async (slot, reading) => {
    const known = await memory.all();
    const listed = reading.titles.map(({ titleId }) => titleId);
    const fresh = listed.filter((titleId) => !known.has(titleId));
    const admitted = new Set(admittedOf(fresh, known, slot));
    telemetry.titlesRefused(slot, fresh.length - admitted.size);
    await memory.recordSeen([...admitted], { seenAt: slot, since: known.size === 0 ? null : slot });
    const isDue = ({ seenAt }: AnnouncedTitle) => seenAt === null || seenAt <= slot - DAY_SECONDS;
    const onPage = new Set(listed);
    // A page read while its title was forgotten leaves a row without a time: it begins now, also off the page.
    const due = [...known].filter(([id, title]) => isDue(title) && (title.seenAt === null || onPage.has(id)));
    await memory.recordSeen(
      due.map(([titleId]) => titleId),
      { seenAt: slot, since: null },
    );
    return { ...reading, titles: reading.titles.filter(({ titleId }) => known.has(titleId) || admitted.has(titleId)) };
  };
}

function admittedOf(
  fresh: readonly string[],
  known: ReadonlyMap<string, AnnouncedTitle>,
  slot: EpochSeconds,
): readonly string[] {
  const room = Math.max(0, TITLES_MAX - known.size);
  if (known.size === 0) return fresh.slice(0, room);
  const recent = [...known.values()].filter(({ since }) => since !== null && since > slot - DAY_SECONDS).length;
  const allowed = Math.min(room, growthAllowance(NEW_TITLES, { known: known.size, recent }));
  if (fresh.length <= allowed) return fresh;
  return slot % DAY_SECONDS === 0 ? fresh.slice(0, allowed) : [];
}
