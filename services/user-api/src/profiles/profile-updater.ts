import { KeyedMutex } from '@lobbystats/service-kit/concurrency';
import { nextRevision, normalizeUsername, usernameKey, type Profile, type ProfileUpdate } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import type { Discord, DiscordUser } from './discord.ts';
import { ownUserError, type NameHash } from '../users/erased-users.ts';
import type { UserStore } from '../users/user-store.ts';
import { createUserRecord, emptyProfile, profileFields, type UserWithProfile } from './profile-view.ts';
import {
  applyProfileUpdate,
  assertLinksAllowed,
  requiredLookUp,
  newDiscordId,
  isSameProfile,
} from './apply-profile-update.ts';
import { newUserFact, profileUpdatedFact } from './profile-facts.ts';
import type { ProfileStore, ProfileWrite } from './profile-store.ts';
import type { ProfileRecord } from '../users/user-record.ts';
import { KeyedBatcher, type ItemResult } from './keyed-batcher.ts';

export interface ProfileUpdaterOptions {
  store: { readonly profiles: ProfileStore; readonly users: UserStore };
  discord: Discord;
  nameHash: NameHash;
  clock: () => number;
  origin: string;
  /** Rejects with AppError `unavailable` when the store is too slow. */
  withTimeout: <Result>(work: () => Promise<Result>) => Promise<Result>;
  onUpdated: () => void;
}

/** Attempts when other replicas write the same profile. */
const MAX_ATTEMPTS = 20;
const CREATE_TIMEOUT_MS = 2500;
/** The ID to look up may change meanwhile. */
const MAX_LOOK_UPS = 3;

interface UpdateRequest {
  readonly username: string;
  readonly update: ProfileUpdate;
  readonly signal: AbortSignal;
  /** Discord's response for the ID of the update. */
  readonly found: { readonly id: string; readonly user: DiscordUser } | undefined;
}

type UpdateOutcome = { readonly profile: Profile } | { readonly lookUp: string };

/** Updates of one user are atomic and in order; those that arrive during a write are batched into the next. */
export class ProfileUpdater {
  readonly #options: ProfileUpdaterOptions;
  readonly #batcher: KeyedBatcher<UpdateRequest, UpdateOutcome>;
  readonly #lookUps = new KeyedMutex();

  constructor(options: ProfileUpdaterOptions) {
    this.#options = options;
    this.#batcher = new KeyedBatcher((requests) => options.withTimeout(() => this.#fulfil(requests)));
  }

  /**
   * Once `signal` aborts, an update that is not being written never is. Nothing changes on an error.
   *
   * @throws AppError `forbidden` for an erased user and for links without a verified Discord ID, `invalid` for
   * an unknown Discord ID or one of another profile, `lookup-failed` when Discord fails, `unavailable` on a timeout
   */
  async update(username: string, update: ProfileUpdate, signal: AbortSignal): Promise<Profile> {
    const userKey = usernameKey(username);
    let found: UpdateRequest['found'];
    for (let lookUps = 0; lookUps <= MAX_LOOK_UPS; lookUps += 1) {
      const outcome = await this.#batcher.add(userKey, { username, update, signal, found });
      if ('profile' in outcome) return outcome.profile;
      // Discord look-ups run outside the queue, one for each update at a time.
      const { lookUp } = outcome;
      const lookUpUser = async () => (signal.aborted ? undefined : this.#options.discord.user(lookUp, userKey));
      const user = await this.#lookUps.runExclusive(userKey, lookUpUser);
      if (signal.aborted) throw timedOut();
      if (user === undefined) throw new AppError('invalid', 'discord_profile_url is of nobody whom Discord knows');
      found = { id: lookUp, user };
    }
    throw tooManyUpdates();
  }

  /** Creates the user with an empty profile, if there is none. @throws AppError as {@link update} does */
  async create(username: string): Promise<void> {
    const { isNew } = await this.#read(username);
    if (isNew) await this.update(username, {}, AbortSignal.timeout(CREATE_TIMEOUT_MS));
  }

  async #fulfil(requests: readonly UpdateRequest[]): Promise<readonly ItemResult<UpdateOutcome>[]> {
    const [first] = requests;
    if (first === undefined) return [];
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const { isNew, ...userWithProfile } = await this.#read(first.username);
      const { profile, settled } = await this.#apply(requests, userWithProfile);
      // An allowed update without changes still creates the profile.
      const createsUser = isNew && settled.some((one) => 'result' in one && 'profile' in one.result);
      if (!createsUser && isSameProfile(profile, userWithProfile.profile)) return settled;
      const { profiles } = this.#options.store;
      const written = await profiles.writeProfile(await this.#writeOf({ ...userWithProfile, profile }, isNew));
      if (written === 'discord-taken')
        return requests.length === 1 ? [{ error: discordTaken() }] : this.#oneByOne(requests);
      if (written === 'stale') continue;
      if (written === 'erased') throw await this.#ownUserError(first.username);
      this.#options.onUpdated();
      return settled;
    }
    throw tooManyUpdates();
  }

  async #apply(requests: readonly UpdateRequest[], { user, profile: before }: UserWithProfile) {
    let profile = before;
    const settled: ItemResult<UpdateOutcome>[] = [];
    for (const request of requests) {
      try {
        const after = await this.#after(profile, request);
        if (typeof after !== 'string') profile = after;
        const result = typeof after === 'string' ? { lookUp: after } : { profile: profileFields({ user, profile }) };
        settled.push({ result });
      } catch (error) {
        settled.push({ error });
      }
    }
    return { profile, settled };
  }

  async #after(profile: ProfileRecord, { update, signal, found }: UpdateRequest): Promise<ProfileRecord | string> {
    if (signal.aborted) throw timedOut();
    assertLinksAllowed(profile, update);
    const id = newDiscordId(profile, update);
    const linkedUserKey = id === undefined ? undefined : await this.#options.store.profiles.findDiscordUser(id);
    if (linkedUserKey !== undefined && linkedUserKey !== profile.userKey) throw discordTaken();
    const lookUpId = requiredLookUp(profile, update);
    if (lookUpId !== undefined && lookUpId !== found?.id) return lookUpId;
    return applyProfileUpdate(profile, update, lookUpId === undefined ? undefined : found?.user);
  }

  /** Applies the updates separately, since only one of the batch may have failed. */
  async #oneByOne(requests: readonly UpdateRequest[]): Promise<readonly ItemResult<UpdateOutcome>[]> {
    const settled: ItemResult<UpdateOutcome>[] = [];
    for (const request of requests) settled.push(...(await this.#fulfil([request])));
    return settled;
  }

  async #read(username: string): Promise<UserWithProfile & { isNew: boolean }> {
    const { store, nameHash } = this.#options;
    const userKey = usernameKey(username);
    const found = await store.profiles.readUser(userKey);
    if (found !== undefined) {
      return { user: found.user, profile: found.profile ?? emptyProfile(userKey), isNew: false };
    }
    const erased = await store.users.findErased([nameHash.user(userKey)]);
    if (erased.size > 0) throw await this.#ownUserError(username);
    return {
      user: createUserRecord(userKey, normalizeUsername(username)),
      profile: emptyProfile(userKey),
      isNew: true,
    };
  }

  #ownUserError(username: string): Promise<AppError> {
    const { store, nameHash } = this.#options;
    return ownUserError(username, { users: store.users, nameHash });
  }

  async #writeOf({ user, profile }: UserWithProfile, isNew: boolean): Promise<ProfileWrite> {
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

function timedOut(): AppError {
  return new AppError('unavailable', 'The profile could not be changed in time');
}

function tooManyUpdates(): AppError {
  return new AppError('unavailable', 'The profile is being changed by too many requests at once');
}
