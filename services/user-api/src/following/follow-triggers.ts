import {
  beginsSoon,
  DAY_SECONDS,
  eventEnd,
  HOUR_SECONDS,
  nameKey,
  parseInstant,
  type Change,
  type EpochSeconds,
  type FollowKind,
  type ObservedTitle,
  type PublicEvent,
  type RecentUnlock,
} from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import type { NameHash } from '../users/erased-users.ts';
import type { UserStore } from '../users/user-store.ts';
import { cameOnline, playersOf, type Poll } from './came-online.ts';
import { boardsOf, fallenRanks, type RankMessage } from './fallen-ranks.ts';
import type { FollowStore, Occurrence } from './follow-store.ts';
import {
  boardOccurrence,
  changeOccurrences,
  eventOccurrences,
  unlockOccurrence,
  type UpcomingEvent,
} from './occurrences.ts';
import { nextSlot, type SlotMemory } from './slot-lobbies.ts';

/** Older occurrences are no news, such as after the bus was down. */
const NEWS_SECONDS = HOUR_SECONDS;
/** A slot or poll further ahead comes from a wrong clock: compared with it, all later ones would be old. */
const AHEAD_SECONDS = HOUR_SECONDS;
/** A first pass over the leaderboards of a title takes no longer: those that it finds are not new. */
const FIRST_PASS_SECONDS = DAY_SECONDS;
const ATTEMPTS = 5;
interface TriggerOptions {
  readonly store: FollowStore;
  readonly users: Pick<UserStore, 'users' | 'usersByGamertag' | 'players' | 'findErased'>;
  readonly nameHash: Pick<NameHash, 'user'>;
  readonly now: () => EpochSeconds;
  /** Called when there are new occurrences. */
  readonly onNews: () => void;
}

interface Names {
  readonly titles: Record<string, string>;
  /** Names of followed leaderboards by target. */
  readonly boards: Record<string, string>;
}

/**
 * Records what happens to followed games, leaderboards, players and events. A message that is delivered again records
 * nothing: an occurrence has an ID, and slots are compared with the newest one.
 */
export class FollowTriggers {
  readonly #options: TriggerOptions;
  #names: Names | undefined;
  #knownBoards: BoardsMemory = {};

  constructor(options: TriggerOptions) {
    this.#options = options;
  }

  async applySlot(slot: EpochSeconds, titles: readonly ObservedTitle[]): Promise<void> {
    const latest = this.#options.now() + AHEAD_SECONDS;
    if (slot > latest) return;
    const nameOf = await this.#titleName();
    const recorded = await this.#change<SlotMemory>('slot', async (memory) => {
      const before = memory !== undefined && memory.slot > latest ? undefined : memory;
      const step = nextSlot(before, slot, titles, nameOf);
      return step && { value: step.memory, occurrences: await this.#followed(step.occurrences) };
    });
    if (recorded) this.#options.onNews();
  }

  /** Call it before the catalog stores the polls of the feed, whose presences these are compared with. */
  async applyPolls(polls: readonly Poll[]): Promise<void> {
    const latest = this.#options.now() + AHEAD_SECONDS;
    const times = [...new Set(polls.map(({ at }) => at))].filter((at) => at <= latest).sort((a, b) => a - b);
    const previous = new Map<EpochSeconds, EpochSeconds | undefined>();
    await this.#change<PollMemory>('polls', async (memory) => {
      let last = memory !== undefined && memory.at > latest ? undefined : memory;
      for (const at of times) {
        if (last === undefined || at > last.at) last = { at, previousAt: last?.at };
        previous.set(at, at === last.at ? last.previousAt : undefined);
      }
      return last === undefined || last === memory ? undefined : { value: last, occurrences: [] };
    });
    await this.#applyPresence(polls.map((poll) => ({ ...poll, previousAt: previous.get(poll.at) })));
  }

  /** Applies the presence that a user's own session shows: no poll, as it says nothing of others. */
  async applyOwnPresence(at: EpochSeconds, player: Poll['players'][number]): Promise<void> {
    const { version, value } = await this.#options.store.state('polls');
    const previousAt = version === 0 ? undefined : (JSON.parse(value) as PollMemory).at;
    await this.#applyPresence([{ at, previousAt, players: [player] }]);
  }

  async #applyPresence(polls: readonly Poll[]): Promise<void> {
    const followed = await this.#options.store.followedTargets('player', [...playersOf(polls)]);
    if (followed.size === 0) return;
    await this.#record(await cameOnline(polls, followed, this.#options.users, this.#options.nameHash));
  }

  /** Call it before the catalog stores the ranks, which these are compared with. */
  async applyRanks(messages: readonly RankMessage[]): Promise<void> {
    const followed = await this.#options.store.followedTargets('leaderboard', [...boardsOf(messages)]);
    if (followed.size === 0) return;
    const names = { boards: (await this.#readNames()).boards, nameOf: await this.#titleName() };
    await this.#record(await fallenRanks(messages, followed, this.#options.users, names));
  }

  /** @param records IDs of those that beat all that was known of their leaderboard */
  async applyChanges(changes: readonly Change[], records: readonly number[]): Promise<void> {
    await this.#learn(changes.map(({ titleId, gameName }) => [titleId, gameName]));
    await this.#record(
      await this.#followed(changes.flatMap((change) => changeOccurrences(change, records.includes(change.id)))),
    );
  }

  async applyBoards(
    boards: readonly { titleId: string; leaderboardId: number; name: string; version: number; gone: boolean }[],
    at: EpochSeconds,
    past: boolean,
  ): Promise<void> {
    const targetOf = ({ titleId, leaderboardId }: (typeof boards)[number]) => `${titleId}:${leaderboardId}`;
    const followed = await this.#options.store.followedTargets('leaderboard', boards.map(targetOf));
    await this.#learn(
      [],
      boards.filter((board) => followed.has(targetOf(board))).map((board) => [targetOf(board), board.name]),
    );
    const nameOf = await this.#titleName();
    const knownSince = await this.#boardsSince(boards, at);
    if (past) return;
    const isNew = ({ titleId, version, gone }: (typeof boards)[number]) =>
      version === 1 && !gone && at - (knownSince[titleId] ?? at) > FIRST_PASS_SECONDS;
    await this.#record(await this.#followed(boards.filter(isNew).map((board) => boardOccurrence(board, nameOf, at))));
  }

  /** Since when leaderboards of titles are known, in seconds. Messages in any order give the same. */
  async #boardsSince(boards: readonly { titleId: string }[], at: EpochSeconds): Promise<BoardsMemory> {
    const titleIds = boards.map(({ titleId }) => titleId);
    const isKnown = (known: BoardsMemory) => titleIds.every((titleId) => (known[titleId] ?? Infinity) <= at);
    if (!isKnown(this.#knownBoards)) {
      await this.#change<BoardsMemory>('boards', async (memory = {}) => {
        const earlier = titleIds.map((titleId) => [titleId, Math.min(at, memory[titleId] ?? at)] as const);
        this.#knownBoards = { ...memory, ...Object.fromEntries(earlier) };
        return isKnown(memory) ? undefined : { value: this.#knownBoards, occurrences: [] };
      });
    }
    return this.#knownBoards;
  }

  async applyTitles(titles: readonly { titleId: string; name: string }[]): Promise<void> {
    await this.#learn(titles.map(({ titleId, name }) => [titleId, name]));
  }

  /** Undefined: no title has had it. */
  async gameName(titleId: string): Promise<string | undefined> {
    const find = ({ titles }: Names) => (Object.hasOwn(titles, titleId) ? titles[titleId] : undefined);
    return find(this.#names ?? (await this.#readNames())) ?? find(await this.#readNames());
  }

  /** Undefined for a name of no title, or of several. */
  async titleIdOf(gameName: string): Promise<string | undefined> {
    const key = nameKey(gameName);
    const named = ({ titles }: Names) => Object.entries(titles).filter(([, name]) => nameKey(name) === key);
    const known = named(this.#names ?? (await this.#readNames()));
    const found = known.length === 0 ? named(await this.#readNames()) : known;
    return found.length === 1 ? found[0]?.[0] : undefined;
  }

  async applyUnlocks(unlocks: readonly RecentUnlock[]): Promise<void> {
    await this.#record(await this.#followed(unlocks.flatMap(unlockOccurrence)));
  }

  async applyEvents(events: readonly PublicEvent[], withdrawn: readonly number[]): Promise<void> {
    const now = this.#options.now();
    await this.#change<EventMemory>('events', async (memory = {}) => {
      const known = new Map(Object.entries(memory));
      for (const id of withdrawn) known.delete(String(id));
      for (const event of events) {
        const upcoming = upcomingEvent(event);
        const noticed = known.get(String(event.id))?.noticed;
        known.set(String(event.id), { ...upcoming, ...(noticed === upcoming.startsAt && { noticed }) });
      }
      for (const [id, { startsAt, endsAt }] of known) {
        if (eventEnd(startsAt, endsAt) < now - DAY_SECONDS) known.delete(id);
      }
      return { value: Object.fromEntries(known), occurrences: [] };
    });
  }

  /** Records the events that begin soon. */
  async noticeEvents(): Promise<void> {
    const now = this.#options.now();
    const recorded = await this.#change<EventMemory>('events', async (memory = {}) => {
      const due = Object.values(memory).filter(
        ({ startsAt, noticed }) => noticed !== startsAt && beginsSoon(startsAt, now),
      );
      if (due.length === 0) return undefined;
      const occurrences = await this.#followed(due.flatMap((event) => eventOccurrences(event, now)));
      const noticed = due.map((event): [string, KnownEvent] => [
        String(event.id),
        { ...event, noticed: event.startsAt },
      ]);
      return { value: { ...memory, ...Object.fromEntries(noticed) }, occurrences };
    });
    if (recorded) this.#options.onNews();
  }

  /** Those whose target somebody follows. */
  async #followed(occurrences: readonly Occurrence[]): Promise<Occurrence[]> {
    const followed = new Map<FollowKind, ReadonlySet<string>>();
    for (const [kind, some] of Map.groupBy(occurrences, ({ kind: one }) => one)) {
      const targets = [...new Set(some.map(({ target }) => target))];
      followed.set(kind, await this.#options.store.followedTargets(kind, targets));
    }
    return occurrences.filter(({ kind, target }) => followed.get(kind)?.has(target) === true);
  }

  async #record(occurrences: readonly Occurrence[]): Promise<void> {
    const news = this.#news(occurrences);
    if (news.length === 0) return;
    await this.#options.store.record(news);
    this.#options.onNews();
  }

  #news(occurrences: readonly Occurrence[]): Occurrence[] {
    const earliest = this.#options.now() - NEWS_SECONDS;
    return occurrences.filter(({ at }) => at >= earliest);
  }

  /** Replaces a stored memory together with the occurrences that follow. Returns whether there are any. */
  async #change<Memory>(
    name: string,
    step: (memory: Memory | undefined) => Promise<{ value: Memory; occurrences: Occurrence[] } | undefined>,
  ): Promise<boolean> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const state = await this.#options.store.state(name);
      const next = await step(state.version === 0 ? undefined : (JSON.parse(state.value) as Memory));
      if (next === undefined) return false;
      const news = this.#news(next.occurrences);
      if (await this.#options.store.record(news, { ...state, value: JSON.stringify(next.value) }))
        return news.length > 0;
    }
    throw new AppError('unavailable', 'The store is busy');
  }

  async #readNames(): Promise<Names> {
    const { version, value } = await this.#options.store.state('names');
    this.#names = version === 0 ? { titles: {}, boards: {} } : (JSON.parse(value) as Names);
    return this.#names;
  }

  async #titleName(): Promise<(titleId: string) => string> {
    const { titles } = this.#names ?? (await this.#readNames());
    return (titleId) => (Object.hasOwn(titles, titleId) ? (titles[titleId] ?? titleId) : titleId);
  }

  async #learn(
    titles: readonly (readonly [titleId: string, name: string])[],
    boards: readonly (readonly [target: string, name: string])[] = [],
  ): Promise<void> {
    const isKnown = (names: Names) =>
      titles.every(([id, name]) => name === '' || names.titles[id] === name) &&
      boards.every(([id, name]) => names.boards[id] === name);
    if (this.#names !== undefined && isKnown(this.#names)) return;
    await this.#change<Names>('names', async (memory = { titles: {}, boards: {} }) => {
      this.#names = memory;
      if (isKnown(memory)) return undefined;
      const named = titles.filter(([, name]) => name !== '');
      const value = {
        titles: { ...memory.titles, ...Object.fromEntries(named) },
        boards: { ...memory.boards, ...Object.fromEntries(boards) },
      };
      this.#names = value;
      return { value, occurrences: [] };
    });
  }
}

/** By titleId. */
type BoardsMemory = Readonly<Record<string, EpochSeconds>>;
type PollMemory = Pick<Poll, 'at' | 'previousAt'>;

/** `noticed`: the start of which subscribers have been notified. */
interface KnownEvent extends UpcomingEvent {
  readonly noticed?: EpochSeconds;
}
type EventMemory = Readonly<Record<string, KnownEvent>>;

function upcomingEvent({ id, title, game_name, title_id, starts_at, ends_at }: PublicEvent): UpcomingEvent {
  const endsAt = ends_at === null ? null : parseInstant(ends_at);
  return { id, title, gameName: game_name, titleId: title_id, startsAt: parseInstant(starts_at), endsAt };
}
