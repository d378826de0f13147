import {
  formatInstant,
  SLOT_MATCHES_MAX,
  type EpochSeconds,
  type ObservedMatch,
  type ObservedTitle,
} from '@lobbystats/contracts';
import { isActive, type Activity, type HomepageReading, type HomeTitle } from './network.ts';

export interface SlotObservation {
  slot: string;
  registered: number | null;
  online: number;
  titles: ObservedTitle[];
}

export interface SlotHome {
  registered: number | null;
  online: number;
  titles: SlotTitle[];
}

interface SlotTitle {
  titleId: string;
  online: number;
  activity: Activity | null;
}

export interface SlotContent {
  home: SlotHome;
  matches: ReadonlyMap<string, readonly ObservedMatch[]>;
}

export function slotHomeOf({ registered, online, titles }: HomepageReading): SlotHome {
  const toSlotTitle = ({ titleId, online: users, activity }: HomeTitle) => ({ titleId, online: users, activity });
  return { registered, online, titles: titles.map(toSlotTitle) };
}

export function awaitedTitles({ titles }: SlotHome): string[] {
  return titles.filter(isActive).map(({ titleId }) => titleId);
}

/** A title without players has no matches; one whose page is missing has null. */
export function composeSlot(slot: EpochSeconds, { home, matches }: SlotContent): SlotObservation {
  const observe = (title: SlotTitle): ObservedTitle => {
    const { titleId, online } = title;
    const open = isActive(title) ? (matches.get(titleId) ?? null) : [];
    const activity = title.activity ?? activityOf(open ?? []);
    return { titleId, online, ...activity, matches: open === null ? null : [...open] };
  };
  return {
    slot: formatInstant(slot),
    registered: home.registered,
    online: home.online,
    titles: home.titles.map(observe),
  };
}

/** The observation with matches of titles that it lacks. */
export function completeSlot(
  observation: SlotObservation,
  matches: ReadonlyMap<string, readonly ObservedMatch[]>,
): SlotObservation {
  const titles = observation.titles.map((title): ObservedTitle => {
    const found = matches.get(title.titleId);
    if (title.matches !== null || found === undefined) return title;
    // A title without sessions lacks its page only if its activity is unknown.
    const activity = title.sessions + title.players === 0 ? activityOf(found) : {};
    return { ...title, ...activity, matches: [...found] };
  });
  return { ...observation, titles };
}

/** Makes the titles with the most matches missing, as long as all have more than {@link SLOT_MATCHES_MAX}. */
export function boundMatches(observation: SlotObservation): SlotObservation {
  const crowded = new Set<ObservedTitle>();
  let count = 0;
  for (const title of observation.titles.toSorted((one, other) => matchCount(one) - matchCount(other))) {
    count += matchCount(title);
    if (count > SLOT_MATCHES_MAX) crowded.add(title);
  }
  if (crowded.size === 0) return observation;
  const titles = observation.titles.map((title) => (crowded.has(title) ? { ...title, matches: null } : title));
  return { ...observation, titles };
}

function matchCount({ matches }: ObservedTitle): number {
  return matches?.length ?? 0;
}

export function matchesOf({ titles }: SlotObservation): number {
  return titles.reduce((sum, title) => sum + matchCount(title), 0);
}

export function activityOf(matches: readonly ObservedMatch[]): Activity {
  return { sessions: matches.length, players: matches.reduce((sum, { players }) => sum + players, 0) };
}

export function lobbiesOf({ titles }: SlotObservation): number | null {
  let lobbies = 0;
  for (const { matches } of titles) {
    if (matches === null) return null;
    lobbies += matches.length;
  }
  return lobbies;
}

export function missingOf({ titles }: SlotObservation): number {
  return titles.filter(({ matches }) => matches === null).length;
}
