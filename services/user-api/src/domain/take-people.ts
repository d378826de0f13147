import type { EpochSeconds } from '@lobbystats/contracts';
import type { Appearance } from './appearance.ts';
import { creditTitles, type PlayHistory } from './credit-titles.ts';
import type { Definitions } from './definitions.ts';
import { unseenUser } from './person.ts';
import { boundReachedAt } from './play-bound.ts';
import { mergeDay, type DayChange, type DayTitles } from './play-day.ts';
import { playerKey } from './player-key.ts';
import type { KnownPeople, People } from './read-people.ts';
import { outranks, type Likeness } from './sight.ts';
import { unlockEarned } from './unlock.ts';
import type { PlayDay, UserRecord } from './user-record.ts';
import { NOTHING_WORKED_OUT, type NewUnlock, type WorkedOut } from './worked-out.ts';

export interface Judging {
  readonly definitions: Definitions;
  readonly at: EpochSeconds;
}

export interface PeopleTaken extends WorkedOut {
  readonly needHistory: readonly string[];
}

/** Independent of order and repetition. */
export function takePeople(
  people: People,
  known: KnownPeople,
  judging: Judging,
  histories: ReadonlyMap<string, PlayHistory> = new Map(),
): PeopleTaken {
  const users: UserRecord[] = [];
  const playDays: PlayDay[] = [];
  const unlocks: NewUnlock[] = [];
  const named: UserRecord[] = [];
  const credited: UserRecord[] = [];
  const needHistory: string[] = [];
  let slots = 0;
  for (const person of people.values()) {
    if (known.forgotten.has(person.key)) continue;
    const outcome = takePerson(person, known, judging, histories.get(person.key));
    if (outcome === undefined) continue;
    if (outcome === 'needs-history') {
      needHistory.push(person.key);
      continue;
    }
    const { user } = outcome;
    users.push(user);
    credited.push(user);
    if (outcome.isNamed) named.push(user);
    for (const { day, after } of outcome.changes) playDays.push({ userKey: user.key, day, titles: after });
    unlocks.push(...outcome.unlocks);
    slots += outcome.slots;
  }
  return { ...NOTHING_WORKED_OUT, users, playDays, unlocks, named, credited, slots, needHistory };
}

interface Taken {
  readonly user: UserRecord;
  readonly changes: readonly DayChange[];
  readonly unlocks: readonly NewUnlock[];
  readonly isNamed: boolean;
  readonly slots: number;
}

function takePerson(
  { key, likeness, claims }: Appearance,
  { users, days, players }: KnownPeople,
  { definitions, at }: Judging,
  history: PlayHistory | undefined,
): Taken | 'needs-history' | undefined {
  const known = users.get(key);
  const isLiker = known === undefined || !hasBeenSeen(known) || outranks(likeness, known);
  const changes = changesOf(key, claims, days);
  if (!isLiker && changes.length === 0) return undefined;

  const before = known ?? unseenUser(key, likeness.username);
  const { titles, slots, needsHistory } = creditTitles(before.titles, changes, history);
  if (needsHistory) return 'needs-history';
  const { username, gamertag, verified, sight } = isLiker ? likeness : before;
  const { ratingsGiven, unlocked, score } = before;
  const user: UserRecord = { key, username, gamertag, verified, sight, titles, ratingsGiven, unlocked, score };
  const isNamed = known?.username !== user.username || known.gamertag !== user.gamertag;
  const player = isNamed ? playerKey(user.gamertag) : undefined;
  if (changes.length === 0 && player === undefined) return { user, changes, unlocks: [], isNamed, slots };

  const earned = unlockEarned(
    user,
    player === undefined ? undefined : players.get(player),
    definitions,
    ({ rule }) => boundReachedAt(rule, before.titles, changes) ?? at,
  );
  return { user: earned.user, unlocks: earned.unlocks, changes, isNamed, slots };
}

function hasBeenSeen(user: UserRecord): user is UserRecord & Likeness {
  return user.sight !== undefined;
}

const NO_TITLES: DayTitles = new Map();

function changesOf(key: string, claims: Appearance['claims'], days: KnownPeople['days']): DayChange[] {
  const changes: DayChange[] = [];
  for (const [day, claimed] of claims) {
    const before = days.get(day)?.get(key) ?? NO_TITLES;
    const after = mergeDay(before, claimed);
    if (after !== undefined) changes.push({ day, before, after });
  }
  return changes;
}
