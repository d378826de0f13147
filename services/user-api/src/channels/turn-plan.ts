import { exponentialBackoff } from '@lobbystats/service-kit/concurrency';
import { DELIVERY_SECONDS, type EpochSeconds } from '@lobbystats/contracts';
import type { ChannelCondition, ChannelRecord, DeliveryRecord, DeliveryResult, MessageType } from './channel-store.ts';
import type { Outcome } from './endpoint.ts';

const FIRST_BACKOFF_MS = 10_000;
const BACKOFF_MAX_MS = 3_600_000;
const backoff = exponentialBackoff(FIRST_BACKOFF_MS, BACKOFF_MAX_MS);

type Delivery = Pick<DeliveryRecord, 'messageId' | 'attempts'>;

export function deliveryResult(
  { messageId, attempts }: Delivery,
  { kind, result }: Outcome,
  type: MessageType,
  now: EpochSeconds,
): DeliveryResult {
  const state = { delivered: 'delivered', refused: 'refused', gone: 'expired', failed: 'waiting' } as const;
  // A third party is not asked again and again.
  const isRepeated = kind === 'failed' && type !== 'challenge';
  return {
    messageId,
    state: kind === 'failed' && !isRepeated ? 'refused' : state[kind],
    attempts: attempts + 1,
    attemptedAt: now,
    result,
  };
}

/** A message that is too old to be sent. */
export function expiredResult({ messageId, attempts, attemptedAt, result }: DeliveryRecord): DeliveryResult {
  return { messageId, state: 'expired', attempts, attemptedAt, result };
}

export function putOffResult(
  { messageId, state, attempts, attemptedAt, result }: DeliveryRecord,
  dueAt: EpochSeconds,
): DeliveryResult {
  return { messageId, state, attempts, attemptedAt, result, dueAt };
}

export function isExpired({ dueAt }: Pick<DeliveryRecord, 'dueAt'>, now: EpochSeconds): boolean {
  return dueAt < now - DELIVERY_SECONDS;
}

/** The condition before the first delivery of a turn, whose lease has blocked the channel. */
export function turnCondition({ state, failingSince, failures, problem }: ChannelRecord): ChannelCondition {
  return { state, failingSince, failures, problem, blockedUntil: 0 };
}

/** The condition after a delivery. */
export function nextCondition(
  before: ChannelCondition,
  type: MessageType,
  { kind: outcome, result, retryAfterMs = 0 }: Outcome,
  now: EpochSeconds,
): ChannelCondition {
  if (outcome === 'delivered') {
    return { state: 'active', failingSince: null, failures: 0, problem: null, blockedUntil: 0 };
  }
  if (outcome === 'gone') return switchedOff(before, result);
  if (type === 'challenge') return { ...before, problem: result };
  const failingSince = before.failingSince ?? now;
  if (now - failingSince >= DELIVERY_SECONDS) return switchedOff(before, result);
  const failures = before.failures + 1;
  const waitMs =
    outcome === 'refused' ? 0 : Math.max(backoff(failures), Math.min(retryAfterMs, DELIVERY_SECONDS * 1000));
  return { ...before, failingSince, failures, problem: result, blockedUntil: now + Math.ceil(waitMs / 1000) };
}

export function switchedOff(before: ChannelCondition, problem: string): ChannelCondition {
  return { ...before, state: 'off', problem, blockedUntil: 0 };
}
