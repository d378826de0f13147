import { slotOf, usernameKey, type EpochSeconds, type operations, type OperationResponse } from '@lobbystats/contracts';
import type { FollowTriggers } from '../following/follow-triggers.ts';
import type { ProfileStore } from '../profiles/profile-store.ts';
import { presenceView } from '../profiles/profile-view.ts';
import type { ObservationResult, UserCatalog } from '../observations/user-catalog.ts';
import type { UserRecord } from '../users/user-record.ts';

type OwnPresenceView = OperationResponse<typeof operations.getOwnPresence>;

/** Asks the auth service for the presence of a caller; undefined: no usable answer. */
type AskPresence = () => Promise<OwnPresenceView | undefined>;

export interface OwnPresenceOptions {
  profiles: Pick<ProfileStore, 'readUser'>;
  catalog: Pick<UserCatalog, 'applyOwnPresence'>;
  triggers: Pick<FollowTriggers, 'applyOwnPresence' | 'gameName' | 'titleIdOf'>;
  now: () => EpochSeconds;
  onObserved: (result: ObservationResult) => void;
}

/**
 * Tells callers whether they are online. The auth service is asked once a slot, unless the network has told it in this slot;
 * its answer is a sighting, which earns the slot as one of the network does. An unknown or erased caller is offline.
 */
export class OwnPresence {
  readonly #options: OwnPresenceOptions;
  /** Responses of the current slot by user. */
  readonly #responses = new Map<string, Promise<OwnPresenceView | undefined>>();
  #slot: EpochSeconds = 0;

  constructor(options: OwnPresenceOptions) {
    this.#options = options;
  }

  async of(username: string, ask: AskPresence): Promise<OwnPresenceView> {
    const { profiles, now } = this.#options;
    const user = (await profiles.readUser(usernameKey(username)))?.user;
    if (user === undefined) return OFFLINE;
    const slot = slotOf(now());
    if (user.presence !== undefined && user.presence.at >= slot) return this.#stored(user);
    const response = await this.#askOnce(slot, user.key, ask);
    if (response === undefined) return this.#stored(user);
    await this.#observe(slot, user, response);
    return response;
  }

  async #stored(user: UserRecord): Promise<OwnPresenceView> {
    const view = presenceView(user, this.#options.now());
    const titleId = view.isOnline && view.game === null ? (user.presence?.titleId ?? null) : null;
    return titleId === null ? view : { ...view, game: (await this.#options.triggers.gameName(titleId)) ?? null };
  }

  #askOnce(slot: EpochSeconds, userKey: string, ask: AskPresence): Promise<OwnPresenceView | undefined> {
    if (this.#slot !== slot) this.#responses.clear();
    this.#slot = slot;
    const known = this.#responses.get(userKey);
    if (known !== undefined) return known;
    const response = ask();
    this.#responses.set(userKey, response);
    return response;
  }

  async #observe(slot: EpochSeconds, user: UserRecord, { isOnline, game }: OwnPresenceView): Promise<void> {
    const { catalog, triggers, now, onObserved } = this.#options;
    const { username, gamertag, verified, presence } = user;
    // Offline: the last sighting stays the last one.
    if (!isOnline && presence?.isOnline !== true) return;
    const lastSeenAt = isOnline ? slot : (presence?.at ?? slot);
    const titleId = game === null ? null : ((await triggers.titleIdOf(game)) ?? null);
    const sighting = { username, gamertag, verified, isOnline, titleId, game, lastSeenAt };
    await triggers.applyOwnPresence(lastSeenAt, sighting);
    onObserved(await catalog.applyOwnPresence(now(), sighting));
  }
}

const OFFLINE: OwnPresenceView = { isOnline: false, game: null };
