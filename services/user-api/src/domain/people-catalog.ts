import { nextRevision, type EpochSeconds } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/errors';
import {
  earnableAt,
  fromSightings,
  fromSpans,
  type Appearances,
  type PlayerSighting,
  type PlayerSpans,
} from './appearance.ts';
import type { Definitions } from './definitions.ts';
import type { NameHash } from './name-hash.ts';
import { peopleFacts } from './people-facts.ts';
import { forgottenAmong, readHistories, readPeople, readPlayers } from './read-people.ts';
import { hostDaysOf, hostingsOf, takeMatches, type EndedMatch } from './take-matches.ts';
import { takePeople } from './take-people.ts';
import { standingsOf, takeRanks, type ToldRanks } from './take-ranks.ts';
import { ratingsOf, takeRatings, type Rater } from './take-ratings.ts';
import { Turns } from './turns.ts';
import type { UserCommit, UserStore } from './user-store.ts';
import { isNothing, unlockOf, type WorkedOut } from './worked-out.ts';

const MAX_ATTEMPTS = 20;

export interface PeopleCatalogOptions {
  store: UserStore;
  definitions: Definitions;
  nameHash: NameHash;
  clock: () => number;
  origin: string;
}

interface Told {
  readonly at: EpochSeconds;
}

export interface PeopleObserved {
  readonly changed: number;
  readonly slots: number;
  readonly unlocks: number;
  readonly refused: number;
}

/**
 * Applies messages in any order and repetition: users, achievements and facts change in one commit. Rejects with
 * AppError `unavailable` when nothing was stored. `past` marks messages, and their facts, of a backfill.
 */
export class PeopleCatalog {
  readonly #options: PeopleCatalogOptions;
  readonly #turns = new Turns();

  constructor(options: PeopleCatalogOptions) {
    this.#options = options;
  }

  observePlayers(
    looks: readonly (Told & { readonly players: readonly PlayerSighting[] })[],
    past: boolean,
  ): Promise<PeopleObserved> {
    const players = looks.flatMap((look) => look.players);
    return this.#observe(fromSightings(players, earnableAt(this.#now())), looks, past);
  }

  observePlay(
    days: readonly (Told & { readonly players: readonly PlayerSpans[] })[],
    past: boolean,
  ): Promise<PeopleObserved> {
    const players = days.flatMap((day) => day.players);
    return this.#observe(fromSpans(players, earnableAt(this.#now())), days, past);
  }

  endMatches(
    slots: readonly (Told & { readonly matches: readonly EndedMatch[] })[],
    past: boolean,
  ): Promise<PeopleObserved> {
    const { store, nameHash, definitions } = this.#options;
    const { hostings, refused } = hostingsOf(this.#notAhead(slots), earnableAt(this.#now()));
    return this.#change(slots, { past, refused }, async () => {
      const known = await readPlayers(store, nameHash, [...new Set(hostings.map(({ key }) => key))]);
      const days = await store.hostDays(hostDaysOf(hostings));
      return takeMatches(hostings, { ...known, days }, definitions);
    });
  }

  rank(told: readonly ToldRanks[], past: boolean): Promise<PeopleObserved> {
    const { store, nameHash, definitions } = this.#options;
    const standings = standingsOf(this.#notAhead(told));
    return this.#change(told, { past, refused: 0 }, async () => {
      const keys = new Set(standings.flatMap(({ players }) => [...players.keys()]));
      return takeRanks(standings, await readPlayers(store, nameHash, [...keys]), definitions);
    });
  }

  rated(told: readonly (Told & { readonly raters: readonly Rater[] })[], past: boolean): Promise<PeopleObserved> {
    const { store, nameHash, definitions } = this.#options;
    const given = ratingsOf(this.#notAhead(told));
    return this.#change(told, { past, refused: 0 }, async () => {
      const keys = [...new Set(given.map(({ key }) => key))];
      const users = await store.users(keys);
      const absent = keys.filter((key) => !users.has(key));
      const forgotten = await forgottenAmong(absent, (key) => nameHash.user(key), store);
      return takeRatings(given, { users, forgotten }, definitions);
    });
  }

  #observe({ people, refused }: Appearances, told: readonly Told[], past: boolean): Promise<PeopleObserved> {
    const { store, nameHash, definitions } = this.#options;
    return this.#change(told, { past, refused }, async (at) => {
      const judging = { definitions, at };
      const known = await readPeople(store, nameHash, people);
      const taken = takePeople(people, known, judging);
      if (taken.needHistory.length === 0) return taken;
      const histories = await readHistories(store, taken.needHistory, this.#now());
      return takePeople(people, known, judging, histories);
    });
  }

  /** Serialised: concurrent commits of one process would conflict. */
  #change(told: readonly Told[], about: About, workOut: WorkOut): Promise<PeopleObserved> {
    return this.#turns.take('people', () => this.#changeNow(told, about, workOut));
  }

  async #changeNow(told: readonly Told[], { past, refused }: About, workOut: WorkOut): Promise<PeopleObserved> {
    const { store, clock, origin } = this.#options;
    const at = Math.max(...this.#notAhead(told).map((message) => message.at));
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      // Read first: the commit fails if anything read later was newer.
      const expectedRevision = await store.revision();
      const worked = await workOut(at);
      if (isNothing(worked)) return { changed: 0, slots: 0, unlocks: 0, refused };
      const revision = nextRevision(expectedRevision, clock());
      const facts = peopleFacts(worked, { origin, revision, occurredAt: at, past });
      if (await store.commit({ ...commitOf(worked), expectedRevision, revision, facts })) {
        const { users, players, slots, unlocks } = worked;
        return { changed: users.length + players.length, slots, unlocks: unlocks.length, refused };
      }
    }
    throw new AppError('unavailable', 'The people are being changed by too many at once');
  }

  /** Times ahead of this clock are capped. */
  #notAhead<Message extends Told>(told: readonly Message[]): Message[] {
    const now = this.#now();
    return told.map((message) => (message.at <= now ? message : { ...message, at: now }));
  }

  #now(): EpochSeconds {
    return Math.floor(this.#options.clock() / 1000);
  }
}

interface About {
  readonly past: boolean;
  readonly refused: number;
}

type WorkOut = (at: EpochSeconds) => Promise<WorkedOut>;

function commitOf({
  users,
  playDays,
  players,
  hostDays,
  unlocks,
}: WorkedOut): Omit<UserCommit, 'expectedRevision' | 'revision'> {
  return {
    users,
    playDays,
    players,
    hostDays,
    unlocks: unlocks.map(unlockOf),
  };
}
