import { DailyGrowth, KeyedMutex, type GrowthLimit } from '@lobbystats/service-kit/concurrency';
import { nextRevision, USER_RETENTION_SECONDS, USERS_MAX, type EpochSeconds } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import {
  creditWindowAt,
  observationsFromSightings,
  observationsFromSpans,
  type CreditWindow,
  type UserObservations,
  type PlayerSighting,
  type PlayerSpans,
} from './user-observation.ts';
import type { Definitions } from '../definitions/definitions.ts';
import { firstRetainedDay } from '../play-time/day-retention.ts';
import { findErasedKeys, type NameHash } from '../users/erased-users.ts';
import { EMPTY_PLAN, userFacts, isEmptyPlan, toUnlock, type UserCommitPlan } from '../users/user-commit-plan.ts';
import { readPlayerState, readUserHistories, readUserState, retainedDays } from './read-user-state.ts';
import {
  admitHosts,
  hostDaysOf,
  hostingsOf,
  NEW_HOSTS,
  planMatches,
  type EndedMatch,
  type HostAdmission,
} from './plan-matches.ts';
import { planPresence } from './plan-presence.ts';
import { standingsOf, planRanks, type AnnouncedRanks } from './plan-ranks.ts';
import { ratingsOf, planRatings, type Rater } from './plan-ratings.ts';
import { admitUsers, NEW_USERS, type Admission } from './user-admission.ts';
import { planRetirement, type RetirementPosition } from './plan-retirement.ts';
import {
  isDone,
  planWithdrawal,
  USERS_PER_WITHDRAWAL,
  withdrawnChanges,
  withdrawnDays,
  withMark,
} from './withdraw-play.ts';
import type { UserStore, WithdrawnSlots } from '../users/user-store.ts';

const MAX_ATTEMPTS = 20;

export interface UserCatalogOptions {
  store: UserStore;
  definitions: Definitions;
  nameHash: NameHash;
  clock: () => number;
  origin: string;
  newUsers?: GrowthLimit;
  newHosts?: GrowthLimit;
}

interface TimedMessage {
  readonly at: EpochSeconds;
}

export interface ObservationResult {
  readonly changed: number;
  readonly slots: number;
  readonly unlocks: number;
  readonly refused: number;
  /** New users, or hosts, above the limit of a day or of all. */
  readonly refusedUsers: number;
}

const NOTHING: ObservationResult = { changed: 0, slots: 0, unlocks: 0, refused: 0, refusedUsers: 0 };

/**
 * Applies messages in any order and repetition: users, achievements and facts change in one commit. Rejects with
 * AppError `unavailable` when nothing was stored. `past` marks messages, and their facts, of a backfill.
 */
export class UserCatalog {
  readonly #options: UserCatalogOptions;
  readonly #mutex = new KeyedMutex();
  readonly #growth: DailyGrowth;
  readonly #newHosts: DailyGrowth;
  #newestPoll: EpochSeconds | undefined;

  constructor(options: UserCatalogOptions) {
    this.#options = options;
    this.#growth = new DailyGrowth(options.newUsers ?? NEW_USERS, options.clock);
    this.#newHosts = new DailyGrowth(options.newHosts ?? NEW_HOSTS, options.clock);
  }

  applyPresence(
    looks: readonly (TimedMessage & { readonly players: readonly PlayerSighting[] })[],
    past: boolean,
  ): Promise<ObservationResult> {
    const players = looks.flatMap((look) => look.players);
    if (!past) this.#newestPoll = Math.max(this.#newestPoll ?? 0, ...this.#notAhead(looks).map(({ at }) => at));
    return this.#observe((window) => observationsFromSightings(players, window), looks, past);
  }

  /** Applies what a user's own session shows: no poll of all users, so nobody's retirement depends on it. */
  applyOwnPresence(at: EpochSeconds, player: PlayerSighting): Promise<ObservationResult> {
    return this.#observe((window) => observationsFromSightings([player], window), [{ at }], false);
  }

  applyPlayTime(
    days: readonly (TimedMessage & { readonly players: readonly PlayerSpans[] })[],
    past: boolean,
  ): Promise<ObservationResult> {
    const players = days.flatMap((day) => day.players);
    return this.#observe((window) => observationsFromSpans(players, window), days, past);
  }

  async applyMatches(
    slots: readonly (TimedMessage & { readonly matches: readonly EndedMatch[] })[],
    past: boolean,
  ): Promise<ObservationResult> {
    const { store, nameHash, definitions } = this.#options;
    const now = this.#now();
    const { hostings, refused } = hostingsOf(slots, creditWindowAt(now));
    let admission: HostAdmission = { hostings, added: 0, refused: 0 };
    const result = await this.#change(slots, { past, refused }, async () => {
      const known = await readPlayerState(store, nameHash, [...new Set(hostings.map(({ key }) => key))]);
      admission = admitHosts(hostings, known, this.#newHosts.allowance(0));
      const days = await store.hostDays(hostDaysOf(admission.hostings, known, retainedDays(now)));
      return planMatches(admission.hostings, { ...known, days, firstDay: firstRetainedDay(now) }, definitions);
    });
    this.#newHosts.record(admission.added);
    return { ...result, refusedUsers: admission.refused };
  }

  applyRanks(messages: readonly AnnouncedRanks[], past: boolean): Promise<ObservationResult> {
    const { store, nameHash, definitions } = this.#options;
    const standings = standingsOf(this.#notAhead(messages));
    return this.#change(messages, { past, refused: 0 }, async () => {
      const keys = new Set(standings.flatMap(({ players }) => [...players.keys()]));
      return planRanks(standings, await readPlayerState(store, nameHash, [...keys]), definitions);
    });
  }

  applyRatings(
    messages: readonly (TimedMessage & { readonly raters: readonly Rater[] })[],
    past: boolean,
  ): Promise<ObservationResult> {
    const { store, nameHash, definitions } = this.#options;
    const ratings = ratingsOf(this.#notAhead(messages));
    return this.#change(messages, { past, refused: 0 }, async () => {
      const keys = [...new Set(ratings.map(({ key }) => key))];
      const users = await store.users(keys);
      const absent = keys.filter((key) => !users.has(key));
      const erased = await findErasedKeys(absent, (key) => nameHash.user(key), store);
      return planRatings(ratings, { users, erased, unlockTimes: await store.unlockTimes(keys) }, definitions);
    });
  }

  /**
   * Takes slots of play from all users, with the unlocks that rested on them. The mark comes first, so that no late copy
   * earns them again.
   */
  async withdrawSlots(slots: Omit<WithdrawnSlots, 'done'>): Promise<ObservationResult> {
    const { store } = this.#options;
    let total: ObservationResult = NOTHING;
    if (isDone(await store.withdrawals(), { ...slots, done: true })) return total;
    const commit = (workOut: PlanCommit) => this.#change([{ at: this.#now() }], { past: true, refused: 0 }, workOut);
    const mark = (done: boolean) =>
      commit(async () => {
        const withdrawals = withMark(await store.withdrawals(), { ...slots, done }, this.#now());
        return { ...EMPTY_PLAN, withdrawals };
      });
    await mark(false);
    for (let after: string | undefined; ;) {
      const keys = (await store.usersAfter(after, USERS_PER_WITHDRAWAL)).map(({ key }) => key);
      after = keys.at(-1);
      if (after === undefined) break;
      const { changed } = await commit(async () => this.#planWithdrawal(keys, { ...slots, done: true }));
      total = { ...total, changed: total.changed + changed };
    }
    await mark(true);
    return total;
  }

  async #planWithdrawal(keys: readonly string[], slots: WithdrawnSlots): Promise<UserCommitPlan> {
    const { store, definitions } = this.#options;
    const changes = withdrawnChanges(await store.playDays(withdrawnDays(keys, slots)), slots);
    if (changes.size === 0) return EMPTY_PLAN;
    const users = [...(await store.users([...changes.keys()])).values()];
    const histories = await readUserHistories(store, [...changes.keys()], new Map(), this.#now());
    return planWithdrawal(users, changes, definitions, histories);
  }

  /**
   * Retires users and players of the batch at a position. Relative to the newest poll of the feed, so that an outage of the
   * network retires nobody.
   *
   * @returns the position of the next batch, undefined at the end; `isDue` is false before the first poll
   */
  async retire(position?: RetirementPosition): Promise<{ next: RetirementPosition | undefined; isDue: boolean }> {
    const { store } = this.#options;
    if (this.#newestPoll === undefined) return { next: undefined, isDue: false };
    const unseenSince = this.#newestPoll - USER_RETENTION_SECONDS;
    let next: RetirementPosition | undefined;
    await this.#change([{ at: this.#now() }], { past: false, refused: 0 }, async () => {
      const batch = await planRetirement(store, position, unseenSince);
      next = batch.next;
      return batch.plan;
    });
    return { next, isDue: true };
  }

  async #observe(
    observe: (window: CreditWindow) => UserObservations,
    messages: readonly TimedMessage[],
    past: boolean,
  ): Promise<ObservationResult> {
    const { store, nameHash, definitions } = this.#options;
    let refused = 0;
    const allowance = async () => {
      const count = await store.count();
      return Math.min(past ? Infinity : this.#growth.allowance(count), Math.max(0, USERS_MAX - count));
    };
    const unseenSince = this.#now() - USER_RETENTION_SECONDS;
    let admission: Admission | undefined;
    const result = await this.#change(messages, { past, refused: 0 }, async () => {
      const observed = observe({ ...creditWindowAt(this.#now()), withdrawn: await store.withdrawals() });
      refused = observed.refused;
      const known = await readUserState(store, nameHash, observed.users);
      admission = await admitUsers(observed.users, known, { allowance, unseenSince });
      const taken = planPresence(admission.users, known, definitions);
      if (taken.needHistory.length === 0) return taken;
      const histories = await readUserHistories(store, taken.needHistory, known.players, this.#now());
      return planPresence(admission.users, known, definitions, histories);
    });
    if (!past) this.#growth.record(admission?.added ?? 0);
    return { ...result, refused, refusedUsers: admission?.refused ?? 0 };
  }

  /** Serialised: concurrent commits of one process would conflict. */
  #change(messages: readonly TimedMessage[], about: ChangeContext, workOut: PlanCommit): Promise<ObservationResult> {
    return this.#mutex.runExclusive('users', () => this.#changeNow(messages, about, workOut));
  }

  async #changeNow(
    messages: readonly TimedMessage[],
    { past, refused }: ChangeContext,
    workOut: PlanCommit,
  ): Promise<ObservationResult> {
    const { store, clock, origin } = this.#options;
    const at = Math.max(...this.#notAhead(messages).map((message) => message.at));
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      // Read first: the commit fails if anything read later was newer.
      const expectedRevision = await store.revision();
      const plan = await workOut();
      if (isEmptyPlan(plan)) return { ...NOTHING, refused };
      const revision = nextRevision(expectedRevision, clock());
      const facts = userFacts(plan, { origin, revision, occurredAt: at, past }, this.#now());
      const { users, playDays, players, hostDays, slots, retiredPlayers } = plan;
      const unlocks = plan.unlocks.map(toUnlock);
      const movedUnlocks = plan.movedUnlocks.map(toUnlock);
      const withdrawnUnlocks = plan.lostUnlocks.map(toUnlock);
      const retiredUsers = plan.retired.map(({ key }) => key);
      const written = { users, playDays, players, hostDays, retiredUsers, retiredPlayers };
      const changed = { unlocks, movedUnlocks, withdrawnUnlocks };
      const { withdrawals } = plan;
      const commit = { expectedRevision, revision, ...written, ...changed, withdrawals, facts };
      if (await store.commit(commit)) {
        return { changed: users.length + players.length, slots, unlocks: unlocks.length, refused, refusedUsers: 0 };
      }
    }
    throw new AppError('unavailable', 'The users are being changed by too many at once');
  }

  /** Caps times ahead of this clock. */
  #notAhead<Message extends TimedMessage>(messages: readonly Message[]): Message[] {
    const now = this.#now();
    return messages.map((message) => (message.at <= now ? message : { ...message, at: now }));
  }

  #now(): EpochSeconds {
    return Math.floor(this.#options.clock() / 1000);
  }
}

interface ChangeContext {
  readonly past: boolean;
  readonly refused: number;
}

type PlanCommit = () => Promise<UserCommitPlan>;
