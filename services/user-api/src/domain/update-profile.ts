import { nextRevision, plainUsername, usernameKey, type Profile, type ProfileUpdate } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/errors';
import type { Discord, DiscordUser } from './discord.ts';
import { Gathered, type Settled } from './gathered.ts';
import type { NameHash } from './name-hash.ts';
import type { PeopleStore } from './people-store.ts';
import { unknownPerson, unseenUser, unwrittenProfile, type Person } from './person.ts';
import { changedProfile, expectLinksAllowed, lookUpWanted, newDiscordId, saysTheSame } from './profile-change.ts';
import { newUserFact, profileUpdatedFact } from './profile-facts.ts';
import type { ProfileRecord, ProfileWrite } from './profile-store.ts';
import { profileFields } from './profile-view.ts';
import { Turns } from './turns.ts';

export interface UpdateProfileOptions {
  store: Pick<PeopleStore, 'profiles' | 'users'>;
  discord: Discord;
  nameHash: NameHash;
  clock: () => number;
  origin: string;
  /** Rejects with AppError `unavailable` when the store is too slow. */
  promptly: <Result>(work: () => Promise<Result>) => Promise<Result>;
  onUpdated: () => void;
}

/** Retries when other replicas write the same profile. */
const ATTEMPTS = 20;
/** The number to look up may change meanwhile. */
const LOOK_UPS = 3;

interface Wish {
  readonly username: string;
  readonly update: ProfileUpdate;
  readonly givenUp: AbortSignal;
  /** Discord's answer for the update's number. */
  readonly found: { readonly id: string; readonly user: DiscordUser } | undefined;
}

type Outcome = { readonly profile: Profile } | { readonly lookUp: string };

/** Updates of one user are atomic and in order; those that arrive during a write are batched into the next. */
export class UpdateProfile {
  readonly #options: UpdateProfileOptions;
  readonly #wishes: Gathered<Wish, Outcome>;
  readonly #lookUps = new Turns();

  constructor(options: UpdateProfileOptions) {
    this.#options = options;
    this.#wishes = new Gathered((wishes) => options.promptly(() => this.#fulfil(wishes)));
  }

  /**
   * Once `givenUp` aborts, an update that is not being written never is. Nothing changes on an error.
   *
   * @param username of whoever's session it is, in any spelling
   * @param givenUp aborted when nobody waits any more: what isn't being written by then never is
   * @returns their profile after the update
   * @throws AppError `not-found` for somebody who was forgotten, `forbidden` for links without a verified Discord, `invalid` for a
   * Discord number of nobody or of another profile, `lookup-failed` when Discord can't be asked, `unavailable`
   * when it was given up. Nothing has changed then.
   */
  async update(username: string, update: ProfileUpdate, givenUp: AbortSignal): Promise<Profile> {
    const userKey = usernameKey(username);
    let found: Wish['found'];
    for (let lookUps = 0; lookUps <= LOOK_UPS; lookUps += 1) {
      const outcome = await this.#wishes.take(userKey, { username, update, givenUp, found });
      if ('profile' in outcome) return outcome.profile;
      // Discord look-ups run outside the queue, one for each update at a time.
      const { lookUp } = outcome;
      const ask = async () => (givenUp.aborted ? undefined : this.#options.discord.user(lookUp));
      const user = await this.#lookUps.take(userKey, ask);
      if (givenUp.aborted) throw tooLate();
      if (user === undefined) throw new AppError('invalid', 'discord_profile_url is of nobody whom Discord knows');
      found = { id: lookUp, user };
    }
    throw tooManyAtOnce();
  }

  async #fulfil(wishes: readonly Wish[]): Promise<readonly Settled<Outcome>[]> {
    const [first] = wishes;
    if (first === undefined) return [];
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const { isNew, ...person } = await this.#read(first.username);
      const { profile, settled } = await this.#apply(wishes, person);
      // An allowed update without changes still creates the profile.
      const makesPerson = isNew && settled.some((one) => 'result' in one && 'profile' in one.result);
      if (!makesPerson && saysTheSame(profile, person.profile)) return settled;
      const { profiles } = this.#options.store;
      const written = await profiles.writeProfile(await this.#writeOf({ ...person, profile }, isNew));
      if (written === 'discord-taken')
        return wishes.length === 1 ? [{ error: discordTaken() }] : this.#oneByOne(wishes);
      if (written === 'stale') continue;
      if (written === 'forgotten') throw unknownPerson();
      this.#options.onUpdated();
      return settled;
    }
    throw tooManyAtOnce();
  }

  async #apply(wishes: readonly Wish[], { user, profile: before }: Person) {
    let profile = before;
    const settled: Settled<Outcome>[] = [];
    for (const wish of wishes) {
      try {
        const after = await this.#after(profile, wish);
        if (typeof after !== 'string') profile = after;
        const result = typeof after === 'string' ? { lookUp: after } : { profile: profileFields({ user, profile }) };
        settled.push({ result });
      } catch (error) {
        settled.push({ error });
      }
    }
    return { profile, settled };
  }

  async #after(profile: ProfileRecord, { update, givenUp, found }: Wish): Promise<ProfileRecord | string> {
    if (givenUp.aborted) throw tooLate();
    expectLinksAllowed(profile, update);
    const id = newDiscordId(profile, update);
    const owner = id === undefined ? undefined : await this.#options.store.profiles.ownerOfDiscord(id);
    if (owner !== undefined && owner !== profile.userKey) throw discordTaken();
    const wanted = lookUpWanted(profile, update);
    if (wanted !== undefined && wanted !== found?.id) return wanted;
    return changedProfile(profile, update, wanted === undefined ? undefined : found?.user);
  }

  /** Only one of the batch may have failed. */
  async #oneByOne(wishes: readonly Wish[]): Promise<readonly Settled<Outcome>[]> {
    const settled: Settled<Outcome>[] = [];
    for (const wish of wishes) settled.push(...(await this.#fulfil([wish])));
    return settled;
  }

  async #read(username: string): Promise<Person & { isNew: boolean }> {
    const { store, nameHash } = this.#options;
    const userKey = usernameKey(username);
    const found = await store.profiles.readPerson(userKey);
    if (found !== undefined) {
      return { user: found.user, profile: found.profile ?? unwrittenProfile(userKey), isNew: false };
    }
    const forgotten = await store.users.forgotten([nameHash.user(userKey)]);
    if (forgotten.size > 0) throw unknownPerson();
    return { user: unseenUser(userKey, plainUsername(username)), profile: unwrittenProfile(userKey), isNew: true };
  }

  async #writeOf({ user, profile }: Person, isNew: boolean): Promise<ProfileWrite> {
    const { store, nameHash, clock, origin } = this.#options;
    const at = { origin, nowMs: clock() };
    const updated = profileUpdatedFact(user, profile, at);
    if (!isNew) return { profile, facts: [updated] };
    const revision = nextRevision(await store.users.revision(), at.nowMs);
    const newUser = { user, revision, hash: nameHash.user(user.key) };
    return { profile, newUser, facts: [newUserFact(user, revision, at), updated] };
  }
}

function discordTaken(): AppError {
  return new AppError('invalid', 'discord_profile_url belongs to another profile');
}

function tooLate(): AppError {
  return new AppError('unavailable', 'The profile could not be changed in time');
}

function tooManyAtOnce(): AppError {
  return new AppError('unavailable', 'The profile is being changed by too many requests at once');
}
