import type { ChannelKind, ChannelMessage, ChannelState, DeliveryState, EpochSeconds } from '@lobbystats/contracts';
import type { NotificationRecord } from '../following/follow-store.ts';

/** The part of a channel that deliveries change. */
export interface ChannelCondition {
  readonly state: ChannelState;
  readonly failingSince: EpochSeconds | null;
  /** Failures in a row. */
  readonly failures: number;
  readonly problem: string | null;
  /** Nothing is sent before. */
  readonly blockedUntil: EpochSeconds;
}

export interface ChannelRecord extends ChannelCondition {
  /** Another one for each channel, also of the same name. Of a feed: the hash of its token. */
  readonly id: string;
  readonly userKey: string;
  /** Unique among those of the user. */
  readonly name: string;
  readonly kind: ChannelKind;
  /** URL and keys, encrypted; '' for a feed. */
  readonly sealed: string;
  /** Equal for channels of the same receiving host, which it does not reveal; '' for a feed. */
  readonly receiver: string;
  readonly createdAt: EpochSeconds;
}

export type MessageType = ChannelMessage['type'];

export interface DeliveryRecord {
  /** The notification's; unique in a channel. */
  readonly messageId: string;
  readonly type: MessageType;
  readonly dueAt: EpochSeconds;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly attemptedAt: EpochSeconds | null;
  readonly result: string | null;
}

export interface WaitingDelivery extends DeliveryRecord {
  /** undefined: it is no notification, or the notification is gone. */
  readonly notification: NotificationRecord | undefined;
}

/** A channel with the earliest of its due deliveries, leased to one process. */
export interface Turn {
  readonly channel: ChannelRecord;
  readonly lease: string;
  readonly deliveries: readonly WaitingDelivery[];
}

export interface DeliveryResult extends Omit<DeliveryRecord, 'type' | 'dueAt'> {
  /** Replaces its time if it is put off. */
  readonly dueAt?: EpochSeconds;
}

export interface TurnResult {
  readonly channelId: string;
  readonly lease: string;
  readonly deliveries: readonly DeliveryResult[];
  /** If it is neither active nor unconfirmed, all that waits expires. */
  readonly condition: ChannelCondition;
}

/** A channel that waits for a turn. */
export type Candidate = Pick<ChannelRecord, 'id' | 'userKey' | 'receiver'>;

/** The channels that may run beside those that run in the caller. */
export interface Shares {
  /** Accounts that have no turn more. */
  readonly userKeys: readonly string[];
  /** Receivers that have no turn more. */
  readonly receivers: readonly string[];
  pick(candidates: readonly Candidate[], limit: number): Candidate[];
}

interface Claim {
  readonly now: EpochSeconds;
  readonly lease: string;
  readonly leasedUntil: EpochSeconds;
  readonly limit: number;
  readonly shares: Shares;
}

/**
 * Channels of users and their deliveries. The follow store adds a delivery for each notification and active channel,
 * except feeds, which are read.
 * Rejects with AppError `unavailable`.
 */
export interface ChannelStore {
  /** The oldest first. */
  channelsOf(userKey: string): Promise<ChannelRecord[]>;
  channel(id: string): Promise<ChannelRecord | undefined>;
  /**
   * Replaces the one of the same name. `unknown`: there is no such user. `full`: the user has `limit` others. `stopped`:
   * one of the user is stopped, and with it all.
   */
  putChannel(channel: ChannelRecord, limit: number): Promise<'written' | 'unknown' | 'full' | 'stopped'>;
  removeChannel(userKey: string, name: string): Promise<boolean>;
  /**
   * Replaces the condition, unless the channel is gone or, with `former`, no longer in that state. What waits for one that
   * is off or stopped expires.
   */
  putCondition(channelId: string, condition: ChannelCondition, former?: ChannelState): Promise<boolean>;
  /** Adds a delivery, unless the channel has one of this message, or is off or stopped. */
  putDelivery(channelId: string, delivery: Pick<DeliveryRecord, 'messageId' | 'type' | 'dueAt'>): Promise<void>;
  /** Those that were due the latest come first. */
  deliveriesOf(channelId: string, limit: number): Promise<DeliveryRecord[]>;

  /** Leases channels with due deliveries, each to one caller: first those of accounts that had no turn for longest. */
  claimTurns(claim: Claim): Promise<Turn[]>;
  /**
   * Stores the results of deliveries that wait, and that something was delivered; conditions only of channels that are
   * still leased to the caller.
   */
  settleTurns(results: readonly TurnResult[]): Promise<void>;
  /** Channels that wait for a turn, and since when the first one does; null: none. */
  backlog(now: EpochSeconds): Promise<{ channels: number; since: EpochSeconds | null }>;
  /** Removes deliveries of earlier times, at most some thousands; returns their number. */
  removeDeliveriesBefore(at: EpochSeconds): Promise<number>;
}
