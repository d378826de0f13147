import { setTimeout as sleep } from 'node:timers/promises';
import type { Message } from '@lobbystats/contracts';
import { hasCode, messageOf } from '@lobbystats/contracts/errors';
import type { BusHooks } from './bus-hooks.ts';
import type { ConsumerSettings } from './consumer-settings.ts';
import { OUTAGE_ATTEMPTS, PostponedError, type Handler } from './message-bus.ts';
import { oneLine } from './one-line.ts';

/**
 * A message that an adapter delivers to a handler. It is settled once, by one of the four methods, which must not throw.
 */
export interface Delivery {
  readonly body: string;
  /** Counted from 1. */
  readonly attempt: number;
  readonly poisonReason?: string | undefined;
  /** Undefined: never. */
  readonly expiresAtMs: number | undefined;
  ack(): void;
  retry(delayMs: number): void;
  deadLetter(reason: string): void;
  release(): void;
}

export interface ReceivedMessage {
  readonly delivery: Delivery;
  readonly message: Message;
}

export interface DispatchContext {
  readonly settings: ConsumerSettings;
  readonly hooks: BusHooks;
  readonly clock: () => number;
  readonly stopping: AbortSignal;
}

/** Calls a handler with messages and settles each of them. Never rejects. */
export async function dispatch(
  handler: Handler,
  batch: readonly ReceivedMessage[],
  context: DispatchContext,
  tries = 1,
): Promise<void> {
  const liveBatch = batch.filter(({ delivery }) => !dropIfExpired(delivery, handler, context));
  const [first] = liveBatch;
  if (first === undefined) return;
  const { settings, hooks } = context;
  try {
    // In an async function, so that a synchronous throw becomes a rejection.
    const messages = liveBatch.map(({ message }) => message);
    await hooks.run(first.message, async () => handler.handle(messages), { queue: settings.queue, messages });
  } catch (error) {
    if (shouldRetryInPlace(handler, error, tries)) {
      hooks.event('retried', {
        queue: settings.queue,
        type: handler.type.key,
        count: liveBatch.length,
        reason: describe(error),
      });
      await pause(settings.backoffMs(tries), context.stopping);
      if (!context.stopping.aborted) return dispatch(handler, liveBatch, context, tries + 1);
      for (const { delivery } of liveBatch) delivery.release();
      return;
    }
    // An outage affects all messages: retrying one by one would wait for the timeout once per message.
    if (liveBatch.length > 1 && !hasCode(error, 'unavailable')) await dispatchOneByOne(handler, liveBatch, context);
    else for (const received of liveBatch) settleFailure(handler, received, error, context);
    return;
  }
  for (const { delivery } of liveBatch) delivery.ack();
  hooks.event('handled', { queue: settings.queue, type: handler.type.key, count: liveBatch.length });
}

/** During an outage ordered messages are retried in place; a requeue would change their order. */
function shouldRetryInPlace({ type, batch }: Handler, error: unknown, tries: number): boolean {
  return type.ordered === true && batch > 1 && hasCode(error, 'unavailable') && tries < OUTAGE_ATTEMPTS;
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
}

async function dispatchOneByOne(
  handler: Handler,
  batch: readonly ReceivedMessage[],
  context: DispatchContext,
): Promise<void> {
  for (const received of batch) {
    if (context.stopping.aborted) received.delivery.release();
    else await dispatch(handler, [received], context);
  }
}

function dropIfExpired(delivery: Delivery, handler: Handler, { settings, hooks, clock }: DispatchContext): boolean {
  if (delivery.expiresAtMs === undefined || delivery.expiresAtMs > clock()) return false;
  delivery.ack();
  hooks.event('expired', { queue: settings.queue, type: handler.type.key, count: 1 });
  return true;
}

function settleFailure(
  handler: Handler,
  { delivery }: ReceivedMessage,
  error: unknown,
  { settings, hooks }: DispatchContext,
): void {
  const fault = describe(error);
  const hopeless = hasCode(error, 'invalid');
  const attempts = hasCode(error, 'unavailable') ? Math.max(settings.attempts, OUTAGE_ATTEMPTS) : settings.attempts;
  const details = { queue: settings.queue, type: handler.type.key, count: 1 };
  if (hopeless || delivery.attempt >= attempts) {
    const reason = hopeless ? fault : `failed ${delivery.attempt} times: ${fault}`;
    delivery.deadLetter(reason);
    hooks.event('dead', { ...details, reason });
    return;
  }
  delivery.retry(settings.backoffMs(delivery.attempt));
  hooks.event(error instanceof PostponedError ? 'postponed' : 'retried', { ...details, reason: fault });
}

/** With the cause, since an AppError's message is written for clients. */
function describe(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? ` (${messageOf(error.cause)})` : '';
  return oneLine(`${messageOf(error)}${cause}`);
}
