import { randomBytes, randomUUID } from 'node:crypto';
import { KeyedTokenBuckets } from '@lobbystats/service-kit/concurrency';
import {
  CHANNELS_MAX,
  DELIVERIES_MAX,
  feedPaths,
  formatTimestamp,
  usernameKey,
  type Channel,
  type EpochSeconds,
  type NewChannel,
  type operations,
  type OperationResponse,
} from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import { unknownUserError } from '../users/erased-users.ts';
import type { ChannelCondition, ChannelRecord, ChannelStore } from './channel-store.ts';
import { endpointOf, isChallenged, receiverOf, sealEndpoint, type Endpoints } from './endpoint.ts';
import { notifyOthers } from './notify-others.ts';
import type { SealedBox } from './sealed-box.ts';
import type { VapidKeys } from './vapid-keys.ts';

interface ChannelsOptions {
  readonly store: ChannelStore;
  readonly endpoints: Pick<Endpoints, 'check'>;
  readonly box: SealedBox;
  readonly vapidKeys: () => Promise<VapidKeys>;
  /** Creates the profile of a caller who has none. @throws AppError `forbidden` for an erased one */
  readonly createUser: (username: string) => Promise<void>;
  readonly publicUrl: string;
  /** Identifies a token without revealing it. */
  readonly tokenHash: (token: string) => string;
  readonly now: () => EpochSeconds;
  /** Milliseconds of a clock that never goes back. */
  readonly elapsedMs: () => number;
  /** Called when a delivery was added. */
  readonly onMessage: () => void;
}

/** The requests of one account: 30 new channels and test messages an hour, of which a challenge counts as three. */
const ASKED = { share: 30 / 3_600_000, burstMs: 29 };
const CHALLENGE_COST = 3;
const MINUTE = 60;
const TOKEN_BYTES = 32;
/** No user's channel is called so: it stands for an account whose channels are stopped, those to come, too. */
export const STOP_NAME = '';

/** Channels of users, through which their notifications are delivered. */
export class Channels {
  readonly #options: ChannelsOptions;
  readonly #asked: KeyedTokenBuckets;

  constructor(options: ChannelsOptions) {
    this.#options = options;
    this.#asked = new KeyedTokenBuckets({ ...ASKED, now: options.elapsedMs });
  }

  async list(username: string): Promise<OperationResponse<typeof operations.listChannels>> {
    const [channels, { publicKey }] = await Promise.all([this.export(username), this.#options.vapidKeys()]);
    return { channels, limit: CHANNELS_MAX, pushKey: publicKey };
  }

  async export(username: string): Promise<Channel[]> {
    const channels = await this.#options.store.channelsOf(usernameKey(username));
    return channels.filter(({ name }) => name !== STOP_NAME).map(channelOf);
  }

  /** @throws AppError `forbidden` for an erased caller, `invalid` for one with too many, and for a URL that is not allowed */
  async add(username: string, added: NewChannel): Promise<OperationResponse<typeof operations.addChannel>> {
    const { createUser, endpoints, box, tokenHash } = this.#options;
    const endpoint = endpointOf(added);
    endpoints.check(endpoint);
    await createUser(username);
    await this.#checkNotStopped(username);
    const userKey = usernameKey(username);
    this.#charge(userKey, isChallenged(added.kind) ? CHALLENGE_COST : 1);
    if (added.kind === 'feed') {
      const token = randomBytes(TOKEN_BYTES).toString('base64url');
      const feed = await this.#put(added, { id: tokenHash(token), userKey, sealed: '', receiver: '' });
      await this.#notifyOthers(feed);
      return { ...channelOf(feed), secret: null, ...this.#feedUrls(token) };
    }
    const key = { id: randomUUID(), userKey };
    const secret = (endpoint.fields['secret'] as string | undefined) ?? null;
    const receiver = box.mark(receiverOf(endpoint).host);
    const record = await this.#put(added, { ...key, sealed: sealEndpoint(box, endpoint, key), receiver });
    if (secret !== null) await this.#send(record, 'challenge');
    await this.#notifyOthers(record);
    return { ...channelOf(record), secret, feedUrl: null, calendarUrl: null };
  }

  /** @throws AppError `forbidden` for an account that the operators have stopped */
  async remove(username: string, name: string): Promise<boolean> {
    await this.#checkNotStopped(username);
    return this.#options.store.removeChannel(usernameKey(username), name);
  }

  /**
   * @throws AppError `not-found`; `forbidden` for an account that the operators have stopped; `invalid` for a feed, and
   *   after too many
   */
  async test(username: string, name: string): Promise<Channel> {
    await this.#checkNotStopped(username);
    const channel = await this.#find(username, name);
    if (channel.kind === 'feed') throw new AppError('invalid', 'A feed is read: nothing is sent to it');
    const active = channel.state === 'off' ? { ...channel, ...initialCondition(channel.kind) } : channel;
    this.#charge(channel.userKey, active.state === 'unconfirmed' ? CHALLENGE_COST : 1);
    // The operators may have stopped it meanwhile.
    if (active !== channel && !(await this.#options.store.putCondition(channel.id, active, 'off')))
      await this.#checkNotStopped(username);
    await this.#send(active, active.state === 'unconfirmed' ? 'challenge' : 'test');
    return channelOf(active);
  }

  /** @throws AppError `not-found` */
  async deliveries(username: string, name: string): Promise<OperationResponse<typeof operations.listDeliveries>> {
    const { id: channelId } = await this.#find(username, name);
    const records = await this.#options.store.deliveriesOf(channelId, DELIVERIES_MAX);
    const deliveries = records.map(({ messageId: id, type, dueAt, state, attempts, attemptedAt, result }) => ({
      ...{ id, type, dueAt: formatTimestamp(dueAt), state, attempts, result },
      attemptedAt: attemptedAt === null ? null : formatTimestamp(attemptedAt),
    }));
    return { deliveries };
  }

  async #put(
    { name, kind }: NewChannel,
    key: Pick<ChannelRecord, 'id' | 'userKey' | 'sealed' | 'receiver'>,
  ): Promise<ChannelRecord> {
    const { store, now } = this.#options;
    const record: ChannelRecord = { ...key, name, kind, createdAt: now(), ...initialCondition(kind) };
    const outcome = await store.putChannel(record, CHANNELS_MAX);
    if (outcome === 'unknown') throw unknownUserError();
    if (outcome === 'stopped') throw stoppedError();
    if (outcome === 'full') throw new AppError('invalid', `One account has at most ${CHANNELS_MAX} channels`);
    return record;
  }

  #feedUrls(token: string) {
    const urlOf = (path: string) => `${this.#options.publicUrl}${path}?token=${token}`;
    return { feedUrl: urlOf(feedPaths.notifications), calendarUrl: urlOf(feedPaths.events) };
  }

  async #checkNotStopped(username: string): Promise<void> {
    const channels = await this.#options.store.channelsOf(usernameKey(username));
    if (channels.some(({ state }) => state === 'stopped')) throw stoppedError();
  }

  async #find(username: string, name: string): Promise<ChannelRecord> {
    const channels = await this.#options.store.channelsOf(usernameKey(username));
    const channel = channels.find((one) => one.name === name);
    if (channel === undefined) throw new AppError('not-found', 'There is no such channel');
    return channel;
  }

  #charge(userKey: string, cost: number): void {
    const bucket = this.#asked.of(userKey);
    if (bucket.retryAfterMs() > 0)
      throw new AppError('invalid', 'Too many channels and test messages were asked for, try again in some minutes');
    bucket.charge(cost);
  }

  async #notifyOthers(added: ChannelRecord): Promise<void> {
    const { store, now, onMessage } = this.#options;
    await notifyOthers(store, added, 'added', now());
    onMessage();
  }

  /** Sends one message of a type in a minute. */
  async #send({ id }: ChannelRecord, type: 'test' | 'challenge'): Promise<void> {
    const { store, now, onMessage } = this.#options;
    const dueAt = now();
    await store.putDelivery(id, { messageId: `${type}-${Math.floor(dueAt / MINUTE)}-${id}`, type, dueAt });
    onMessage();
  }
}

function stoppedError(): AppError {
  return new AppError('forbidden', 'The operators have stopped the channels of this account');
}

export function initialCondition(kind: ChannelRecord['kind']): ChannelCondition {
  const state = isChallenged(kind) ? 'unconfirmed' : 'active';
  return { state, failingSince: null, failures: 0, problem: null, blockedUntil: 0 };
}

/** The public form, without what is secret. */
function channelOf({ name, kind, state, createdAt, failingSince, problem }: ChannelRecord): Channel {
  return {
    ...{ name, kind, state, createdAt: formatTimestamp(createdAt), problem },
    failingSince: failingSince === null ? null : formatTimestamp(failingSince),
  };
}
