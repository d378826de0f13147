import { growthAllowance } from '@lobbystats/service-kit/concurrency';
import { TITLES_MAX } from '@lobbystats/contracts';
import type { AnnouncedTitles } from './announced-titles.ts';
import { NEW_TITLES } from './title-admission.ts';

/** Tells the title IDs that sources besides the homepage may bring, at the time of the call. */
export type TitleBound = () => Promise<(titleId: string) => boolean>;

/**
 * Admits the titles of the homepage, and as many others as it may have in a day: each further one would be a series, or a
 * row of play time, for good. Others are counted by process.
 */
export function createTitleBound(memory: Pick<AnnouncedTitles, 'all'>): TitleBound {
  const others = new Set<string>();
  return async () => {
    const known = await memory.all();
    for (const titleId of known.keys()) others.delete(titleId);
    const hasRoom = () =>
      known.size === 0
        ? others.size < TITLES_MAX
        : growthAllowance(NEW_TITLES, { known: known.size + others.size, recent: others.size }) > 0;
    return (titleId) => {
      if (known.has(titleId) || others.has(titleId)) return true;
      if (!hasRoom()) return false;
      others.add(titleId);
      return true;
    };
  };
}

/** Returns play in a title that is not admitted as play in no title. */
export function withinTitles<Play extends { titleId: string | null }>(
  play: Play,
  isAdmitted: (titleId: string) => boolean,
): Play {
  return play.titleId === null || isAdmitted(play.titleId) ? play : { ...play, titleId: null };
}
