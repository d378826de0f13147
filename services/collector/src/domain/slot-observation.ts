import { formatInstant, type EpochSeconds, type ObservedMatch, type ObservedTitle } from '@lobbystats/contracts';
import { isActive, type Activity, type HomepageReading, type HomeTitle } from './readings.ts';

/** The data of a `slot.observed` message. */
export interface SlotObservation {
  /** Instant of the slot's beginning. */
  slot: string;
  registered: number | null;
  online: number;
  titles: ObservedTitle[];
}

/** What of the homepage goes into a slot. */
export interface SlotHome {
  registered: number | null;
  online: number;
  titles: SlotTitle[];
}

interface SlotTitle {
  titleId: string;
  online: number;
  /** Null where only the title's own page can tell. */
  activity: Activity | null;
}

/** A slot as far as it was read: the matches of each title whose page was had. */
export interface SlotContent {
  home: SlotHome;
  matches: ReadonlyMap<string, readonly ObservedMatch[]>;
}

/** What of a homepage's reading goes into the slot. */
export function slotHomeOf({ registered, online, titles }: HomepageReading): SlotHome {
  const kept = ({ titleId, online: users, activity }: HomeTitle) => ({ titleId, online: users, activity });
  return { registered, online, titles: titles.map(kept) };
}

/** The titles whose pages the slot waits for. */
export function awaitedTitles({ titles }: SlotHome): string[] {
  return titles.filter(isActive).map(({ titleId }) => titleId);
}

/**
 * A slot as it is told: a title that nobody plays has no matches, one whose page wasn't had has null. Where the activity
 * cell says nothing, sessions and players are those of the title's own page.
 */
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

/** Sessions and players as the open matches have them. */
export function activityOf(matches: readonly ObservedMatch[]): Activity {
  return { sessions: matches.length, players: matches.reduce((sum, { players }) => sum + players, 0) };
}

/** Open matches over all titles; null where a title's page is missing: then nobody knows their number. */
export function lobbiesOf({ titles }: SlotObservation): number | null {
  let lobbies = 0;
  for (const { matches } of titles) {
    if (matches === null) return null;
    lobbies += matches.length;
  }
  return lobbies;
}

/** How many titles a slot lacks. */
export function missingOf({ titles }: SlotObservation): number {
  return titles.filter(({ matches }) => matches === null).length;
}
