import type { MessageType } from '@lobbystats/contracts';
import type { BusContext } from './bus-base.ts';
import type { ConsumerSettings } from './consumer-settings.ts';
import { decodeMessage } from './decode-message.ts';
import { type Delivery, dispatch, type DispatchContext, type ReceivedMessage } from './dispatch.ts';
import { isLowPriority } from './encode-message.ts';
import type { Handler } from './message-bus.ts';
import { PriorityBatcher } from './priority-batcher.ts';

/** Limit of the bytes of bodies in flight, since prefetch bounds only their number. A parsed body takes about ten times its bytes. */
export const MAX_IN_FLIGHT_BYTES = 8 * 1024 * 1024;

interface DispatcherOptions extends BusContext {
  readonly settings: ConsumerSettings;
}

interface Handed {
  readonly handler: Handler;
  readonly received: ReceivedMessage;
}

/** Validates deliveries, drops expired ones, passes the rest to handlers and settles them. Shared by all adapters. */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #handlers: ReadonlyMap<string, Handler>;
  /** By type; ordered types have the same one. */
  readonly #batchers: ReadonlyMap<string, PriorityBatcher<Handed>>;
  readonly #inFlight = new Set<Promise<void>>();
  readonly #context: DispatchContext;
  readonly #stopping = new AbortController();

  constructor(options: DispatcherOptions) {
    const { settings, hooks, clock } = options;
    this.#options = options;
    this.#context = { settings, hooks, clock, stopping: this.#stopping.signal };
    this.#handlers = new Map(settings.handlers.map((handler) => [handler.type.key, handler]));
    const batched = settings.handlers.filter(({ batch }) => batch > 1);
    const batcher = (max: number) => new PriorityBatcher<Handed>(max, (batch) => this.#dispatchBatch(batch));
    const inOrder = batcher(Math.max(1, ...batched.map(({ batch }) => batch)));
    this.#batchers = new Map(
      batched.map(({ type, batch }) => [type.key, type.ordered === true ? inOrder : batcher(batch)]),
    );
  }

  /** Accepts a delivery and settles it later. Never throws. */
  deliver(delivery: Delivery): void {
    const { settings, hooks, origin, clock } = this.#options;
    if (this.#stopping.signal.aborted) {
      delivery.release();
      return;
    }
    // Checked before parsing, which is expensive.
    if (delivery.expiresAtMs !== undefined && delivery.expiresAtMs <= clock()) {
      delivery.ack();
      hooks.event('expired', { queue: settings.queue, count: 1 });
      return;
    }
    // Not parsed: parsing may have crashed the process.
    if (delivery.poisonReason !== undefined) {
      this.#deadLetter(delivery, delivery.poisonReason, undefined);
      return;
    }
    const decoded = decodeMessage(delivery.body, origin);
    if ('fault' in decoded) {
      this.#deadLetter(delivery, decoded.fault, decoded.type);
      return;
    }
    const handler = this.#handlers.get(decoded.type.key);
    if (handler === undefined) {
      this.#deadLetter(delivery, `${settings.queue} has no handler for ${decoded.type.key}`, decoded.type);
      return;
    }
    this.#dispatch(handler, { delivery, message: decoded.message });
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    const batchers = Array.from(new Set(this.#batchers.values()), (batcher) =>
      batcher.stop(({ received }) => received.delivery.release()),
    );
    await Promise.all([...this.#inFlight, ...batchers]);
  }

  #dispatch(handler: Handler, received: ReceivedMessage): void {
    const batcher = this.#batchers.get(handler.type.key);
    if (batcher !== undefined) {
      batcher.add({ handler, received }, !isLowPriority(handler.type, received.message));
      return;
    }
    const work = dispatch(handler, [received], this.#context).finally(() => this.#inFlight.delete(work));
    this.#inFlight.add(work);
  }

  /** Calls each handler with its next messages in a row, one after the other. */
  async #dispatchBatch(batch: readonly Handed[]): Promise<void> {
    const rows: { handler: Handler; messages: ReceivedMessage[] }[] = [];
    for (const { handler, received } of batch) {
      const row = rows.at(-1);
      if (row?.handler === handler && row.messages.length < handler.batch) row.messages.push(received);
      else rows.push({ handler, messages: [received] });
    }
    for (const { handler, messages } of rows) await dispatch(handler, messages, this.#context);
  }

  #deadLetter(delivery: Delivery, reason: string, type: MessageType | undefined): void {
    const { settings, hooks } = this.#options;
    delivery.deadLetter(reason);
    hooks.event('dead', {
      queue: settings.queue,
      ...(type === undefined ? {} : { type: type.key }),
      reason,
      count: 1,
    });
  }
}
