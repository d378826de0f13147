import { setTimeout as elapse } from 'node:timers/promises';
import type { Message } from '@lobbystats/contracts';
import { hasCode, messageOf } from '@lobbystats/errors';
import type { BusHooks } from './bus-hooks.ts';
import type { ConsumerSettings } from './consumer-settings.ts';
import type { Delivery } from './delivery.ts';
import { OUTAGE_ATTEMPTS, type Handler } from './message-bus.ts';
import { oneLine } from './one-line.ts';

export interface Received {
  readonly delivery: Delivery;
  readonly message: Message;
}

export interface HandOverContext {
  readonly settings: ConsumerSettings;
  readonly hooks: BusHooks;
  readonly clock: () => number;
  readonly stopping: AbortSignal;
}

/** Calls a handler with messages and settles each. Never rejects. */
export async function handOver(
  handler: Handler,
  batch: readonly Received[],
  context: HandOverContext,
  tries = 1,
): Promise<void> {
  const wanted = batch.filter(({ delivery }) => !dropIfExpired(delivery, handler, context));
  const [first] = wanted;
  if (first === undefined) return;
  const { settings, hooks } = context;
  try {
    // In an async function, so that a synchronous throw becomes a rejection.
    const messages = wanted.map(({ message }) => message);
    await hooks.run(first.message, async () => handler.handle(messages), { queue: settings.queue, messages });
  } catch (error) {
    if (staysInHand(handler, error, tries)) {
      hooks.event('retried', {
        queue: settings.queue,
        type: handler.type.key,
        count: wanted.length,
        reason: describe(error),
      });
      await pause(settings.backoffMs(tries), context.stopping);
      if (!context.stopping.aborted) return handOver(handler, wanted, context, tries + 1);
      for (const { delivery } of wanted) delivery.release();
      return;
    }
    // An outage affects all messages alike: retrying one by one would wait once for each.
    if (wanted.length > 1 && !hasCode(error, 'unavailable')) await handOverSingly(handler, wanted, context);
    else for (const received of wanted) settleFailure(handler, received, error, context);
    return;
  }
  for (const { delivery } of wanted) delivery.ack();
  hooks.event('handled', { queue: settings.queue, type: handler.type.key, count: wanted.length });
}

/** Ordered messages wait in place during an outage; requeued, they would fall behind others. */
function staysInHand({ type, batch }: Handler, error: unknown, tries: number): boolean {
  return type.inTurn === true && batch > 1 && hasCode(error, 'unavailable') && tries < OUTAGE_ATTEMPTS;
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await elapse(ms, undefined, { signal, ref: false }).catch(() => undefined);
}

async function handOverSingly(handler: Handler, batch: readonly Received[], context: HandOverContext): Promise<void> {
  for (const received of batch) {
    if (context.stopping.aborted) received.delivery.release();
    else await handOver(handler, [received], context);
  }
}

function dropIfExpired(delivery: Delivery, handler: Handler, { settings, hooks, clock }: HandOverContext): boolean {
  if (delivery.expiresAtMs === undefined || delivery.expiresAtMs > clock()) return false;
  delivery.ack();
  hooks.event('expired', { queue: settings.queue, type: handler.type.key, count: 1 });
  return true;
}

function settleFailure(
  handler: Handler,
  { delivery }: Received,
  error: unknown,
  { settings, hooks }: HandOverContext,
): void {
  const fault = describe(error);
  const hopeless = hasCode(error, 'invalid');
  const attempts = hasCode(error, 'unavailable') ? Math.max(settings.attempts, OUTAGE_ATTEMPTS) : settings.attempts;
  const details = { queue: settings.queue, type: handler.type.key, count: 1 };
  if (hopeless || delivery.attempt >= attempts) {
    const reason = hopeless ? fault : `failed ${delivery.attempt} times: ${fault}`;
    delivery.dead(reason);
    hooks.event('dead', { ...details, reason });
    return;
  }
  delivery.retry(settings.backoffMs(delivery.attempt));
  hooks.event('retried', { ...details, reason: fault });
}

/** With the cause, since an AppError's message is written for clients. */
function describe(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? ` (${messageOf(error.cause)})` : '';
  return oneLine(`${messageOf(error)}${cause}`);
}
