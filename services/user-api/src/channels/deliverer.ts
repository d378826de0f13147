import { randomBytes, randomUUID } from 'node:crypto';
import { GroupCommitQueue, resolveWithin } from '@lobbystats/service-kit/concurrency';
import type { ChannelKind, ChannelMessage, EpochSeconds, QuietHours } from '@lobbystats/contracts';
import type { FollowStore } from '../following/follow-store.ts';
import { expiryOf, notificationOf } from '../following/following.ts';
import { afterQuietHours } from '../following/quiet-time.ts';
import type { ChannelStore, DeliveryResult, Turn, TurnResult, WaitingDelivery } from './channel-store.ts';
import { openEndpoint, receiverOf, type Endpoint, type Endpoints, type Outcome } from './endpoint.ts';
import { FairShares } from './fair-shares.ts';
import { RequestBudget } from './request-budget.ts';
import { channelMessage, notifyOthers } from './notify-others.ts';
import type { SealedBox } from './sealed-box.ts';
import {
  deliveryResult,
  expiredResult,
  isExpired,
  nextCondition,
  putOffResult,
  switchedOff,
  turnCondition,
} from './turn-plan.ts';

/** Requests at once; one for each channel. */
const TURNS_MAX = 128;
/** Longer than the deliveries of a turn take, with the last one's timeout. */
const LEASE_SECONDS = 30;
/** No delivery of a turn begins after this time. */
const TURN_MS = 2000;
const STOP_MS = 2000;
/** Turns whose results are stored at once, and that have not been stored yet. */
const [RESULTS_MAX, STORING_MAX] = [512, 1024];

interface DelivererOptions {
  readonly store: ChannelStore;
  readonly following: Pick<FollowStore, 'quietHours'>;
  readonly endpoints: Pick<Endpoints, 'send'>;
  readonly box: SealedBox;
  readonly publicUrl: string;
  readonly now: () => EpochSeconds;
  readonly onDelivery: (kind: ChannelKind, outcome: Outcome['kind'], delaySeconds: number) => void;
  /** Called when a turn has ended: others may wait. */
  readonly onTurnEnd: () => void;
  readonly onFault: (error: unknown) => void;
}

/**
 * Delivers what is due. A channel has one request at a time, in all replicas: it is leased for a turn of some deliveries.
 * A process that is killed leaves the lease, after which another one repeats what has no result.
 */
export class Deliverer {
  readonly #options: DelivererOptions;
  readonly #running = new Set<Promise<TurnResult>>();
  readonly #shares = new FairShares();
  readonly #budget: RequestBudget;
  readonly #storing = new Set<Promise<void>>();
  readonly #results: GroupCommitQueue<TurnResult, true>;

  constructor(options: DelivererOptions) {
    this.#options = options;
    this.#budget = new RequestBudget(() => options.now() * 1000);
    this.#results = new GroupCommitQueue({
      commit: async (results) => {
        await options.store.settleTurns(results);
        return results.map(() => true as const);
      },
      ...{ maxDelayMs: 20, maxBatch: RESULTS_MAX, maxPending: STORING_MAX, items: 'results', timeoutMs: 20_000 },
    });
  }

  /** Begins the turns of all channels that wait, as far as requests are free. Does not wait for their end. */
  async begin(): Promise<void> {
    const { store, following, now } = this.#options;
    for (let free = this.#free(); free > 0; free = this.#free()) {
      const at = now();
      const turns = await store.claimTurns({
        now: at,
        lease: randomUUID(),
        leasedUntil: at + LEASE_SECONDS,
        limit: free,
        shares: this.#shares,
      });
      if (turns.length === 0) return;
      const quietHours = await following.quietHours([...new Set(turns.map(({ channel }) => channel.userKey))]);
      for (const turn of turns) this.#start(turn, quietHours.get(turn.channel.userKey));
    }
  }

  /** Waits a short time for running turns. Those that take longer are repeated, as after a kill. */
  async stop(): Promise<void> {
    await resolveWithin(Promise.all(this.#storing), STOP_MS);
  }

  #free(): number {
    return Math.min(TURNS_MAX - this.#running.size, STORING_MAX - this.#storing.size);
  }

  #start(turn: Turn, quiet: QuietHours | undefined): void {
    this.#shares.begin(turn.channel);
    const run = this.#deliver(turn, quiet).finally(() => {
      this.#running.delete(run);
      this.#shares.end(turn.channel);
      this.#options.onTurnEnd();
    });
    this.#running.add(run);
    // Others are sent while results are stored.
    const stored = run
      .then(async (result) => {
        await this.#results.add(result);
        if (result.condition.state === 'off')
          await notifyOthers(this.#options.store, turn.channel, 'off', this.#options.now());
      })
      .catch(this.#options.onFault)
      .finally(() => this.#storing.delete(stored));
    this.#storing.add(stored);
  }

  async #deliver({ channel, lease, deliveries }: Turn, quiet: QuietHours | undefined): Promise<TurnResult> {
    const results: DeliveryResult[] = [];
    const endpoint = openEndpoint(this.#options.box, channel);
    const before = turnCondition(channel);
    let condition = endpoint === undefined ? switchedOff(before, 'Its key is lost: add the channel again') : before;
    const startMs = performance.now();
    for (const delivery of deliveries) {
      if (endpoint === undefined || performance.now() - startMs > TURN_MS) break;
      const now = this.#options.now();
      const message = isExpired(delivery, now) ? undefined : await this.#messageOf(delivery, now);
      if (message === undefined) {
        results.push(expiredResult(delivery));
        continue;
      }
      // It failed before they began, or they were set since.
      const sentAt = message.type === 'notification' ? afterQuietHours(now, quiet) : now;
      if (sentAt > now) {
        results.push(putOffResult(delivery, sentAt));
        continue;
      }
      const receiver = receiverOf(endpoint);
      const waitMs = this.#budget.waitMs(channel.userKey, receiver);
      if (waitMs > 0) {
        condition = { ...condition, blockedUntil: now + Math.ceil(waitMs / 1000) };
        break;
      }
      const outcome = await this.#send(endpoint, message, delivery);
      this.#budget.charge(channel.userKey, receiver, outcome);
      const at = this.#options.now();
      results.push(deliveryResult(delivery, outcome, delivery.type, at));
      condition = nextCondition(condition, delivery.type, outcome, at);
      if (outcome.kind === 'failed' || outcome.kind === 'gone') break;
    }
    return { channelId: channel.id, lease, deliveries: results, condition };
  }

  async #send(endpoint: Endpoint, message: ChannelMessage, { dueAt }: WaitingDelivery): Promise<Outcome> {
    const outcome = await this.#options.endpoints.send(endpoint, message);
    this.#options.onDelivery(endpoint.kind, outcome.kind, Math.max(this.#options.now() - dueAt, 0));
    return outcome;
  }

  /** @returns undefined if what it tells is gone, or no news any more */
  async #messageOf(
    { type, messageId: id, notification }: WaitingDelivery,
    now: EpochSeconds,
  ): Promise<ChannelMessage | undefined> {
    const { store, publicUrl } = this.#options;
    const ownPage = `${publicUrl}/me/following`;
    if (type === 'challenge') return { type, id, challenge: randomBytes(16).toString('base64url') };
    if (type === 'test') {
      return { type, id, title: 'Test message', text: 'Notifications arrive here.', url: ownPage };
    }
    if (type === 'channel') return channelMessage(store, id, ownPage);
    if (notification === undefined || now > (expiryOf(notification) ?? now)) return undefined;
    return { type, id, notification: notificationOf(notification, publicUrl, now) };
  }
}
