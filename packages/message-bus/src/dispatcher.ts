import type { MessageType } from '@lobbystats/contracts';
import { BatchLane } from './batch-lane.ts';
import type { BusHooks } from './bus-hooks.ts';
import type { ConsumerSettings } from './consumer-settings.ts';
import { decodeMessage } from './decode-message.ts';
import type { Delivery } from './delivery.ts';
import { handOver, type HandOverContext, type Received } from './hand-over.ts';
import type { Handler } from './message-bus.ts';

export interface DispatcherOptions {
  readonly settings: ConsumerSettings;
  readonly origin: string;
  readonly hooks: BusHooks;
  readonly clock: () => number;
}

/** Validates deliveries, drops expired ones, passes the rest to handlers and settles them. Shared by all adapters. */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #handlers: ReadonlyMap<string, Handler>;
  readonly #lanes: ReadonlyMap<string, BatchLane>;
  readonly #singles = new Set<Promise<void>>();
  readonly #context: HandOverContext;
  readonly #stopping = new AbortController();

  constructor(options: DispatcherOptions) {
    const { settings, hooks, clock } = options;
    this.#options = options;
    this.#context = { settings, hooks, clock, stopping: this.#stopping.signal };
    this.#handlers = new Map(settings.handlers.map((handler) => [handler.type.key, handler]));
    this.#lanes = new Map(
      settings.handlers
        .filter(({ batch }) => batch > 1)
        .map((handler) => [
          handler.type.key,
          new BatchLane(handler, (batch) => handOver(handler, batch, this.#context)),
        ]),
    );
  }

  /** Accepts a delivery, which will be settled. Never throws. */
  deliver(delivery: Delivery): void {
    const { settings, hooks, origin, clock } = this.#options;
    if (this.#stopping.signal.aborted) {
      delivery.release();
      return;
    }
    // Before parsing, which costs time.
    if (delivery.expiresAtMs !== undefined && delivery.expiresAtMs <= clock()) {
      delivery.ack();
      hooks.event('expired', { queue: settings.queue, count: 1 });
      return;
    }
    // Before parsing: it may be what crashed the process.
    if (delivery.verdict !== undefined) {
      this.#bury(delivery, delivery.verdict, undefined);
      return;
    }
    const decoded = decodeMessage(delivery.body, origin);
    if ('fault' in decoded) {
      this.#bury(delivery, decoded.fault, decoded.type);
      return;
    }
    const handler = this.#handlers.get(decoded.type.key);
    if (handler === undefined) {
      this.#bury(delivery, `${settings.queue} has no handler for ${decoded.type.key}`, decoded.type);
      return;
    }
    this.#pass(handler, { delivery, message: decoded.message });
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all([...this.#singles, ...[...this.#lanes.values()].map((lane) => lane.stop())]);
  }

  #pass(handler: Handler, received: Received): void {
    const lane = this.#lanes.get(handler.type.key);
    if (lane !== undefined) {
      lane.add(received);
      return;
    }
    const work = handOver(handler, [received], this.#context).finally(() => this.#singles.delete(work));
    this.#singles.add(work);
  }

  #bury(delivery: Delivery, reason: string, type: MessageType | undefined): void {
    const { settings, hooks } = this.#options;
    delivery.dead(reason);
    hooks.event('dead', {
      queue: settings.queue,
      ...(type === undefined ? {} : { type: type.key }),
      reason,
      count: 1,
    });
  }
}
