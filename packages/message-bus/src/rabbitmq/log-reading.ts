import type { Channel, ChannelModel, ConsumeMessage } from 'amqplib';
import type { BusHooks } from '../bus-hooks.ts';
import { logPosition, resolvePosition } from '../log-position.ts';
import type { LogPosition, LogReader } from '../message-bus.ts';
import { readFact } from '../read-fact.ts';
import { ConsumerSession } from './consumer-session.ts';
import { keepChannel } from './keep-channel.ts';
import type { Kept } from './kept.ts';
import { offsetOf, readBounds, readOldest } from './log-bounds.ts';
import { LOG, LOG_MARKER } from './topology.ts';

export interface LogReadingOptions {
  readonly connection: Kept<ChannelModel>;
  readonly reader: LogReader;
  readonly origin: string;
  readonly hooks: BusHooks;
}

const PREFETCH = 100;

export class LogReading {
  readonly #options: LogReadingOptions;
  readonly #channel: Kept<Channel>;
  #position: LogPosition;
  #work: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(options: LogReadingOptions) {
    this.#options = options;
    this.#position = options.reader.from;
    this.#channel = keepChannel(options.connection, (channel, model) => this.#setUp(channel, model));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#channel.close();
    await this.#work;
  }

  async #setUp(channel: Channel, model: ChannelModel): Promise<void> {
    // The previous channel's last fact still moves the position.
    await this.#work;
    const { logId, ...bounds } = await readBounds(model);
    const { after, reset } = resolvePosition(this.#position, logId, bounds);
    const session = new ConsumerSession(channel);
    if (reset) this.#then(session, async () => this.#options.reader.onReset?.());
    if (after >= bounds.newest) this.#then(session, async () => this.#options.reader.onCaughtUp?.());
    const place = { logId, after, newest: bounds.newest };
    await channel.prefetch(PREFETCH);
    await channel.consume(
      LOG,
      (message) => {
        if (message === null) session.abandon();
        else this.#then(session, () => this.#pass(message, session, model, place));
      },
      { arguments: { 'x-stream-offset': after + 1 } },
    );
  }

  #then(session: ConsumerSession, work: () => Promise<void> | undefined): void {
    this.#work = this.#work.then(async () => {
      if (this.#stopped || !session.isOpen) return;
      try {
        await work();
      } catch (error) {
        if (error instanceof LostError) {
          // The next channel continues.
          session.abandon();
          return;
        }
        this.#stopped = true;
        void this.#channel.close();
        this.#options.reader.onFault(error);
      }
    });
  }

  async #pass(
    message: ConsumeMessage,
    session: ConsumerSession,
    model: ChannelModel,
    place: { logId: string; after: number; newest: number },
  ): Promise<void> {
    const { reader, origin, hooks } = this.#options;
    const offset = offsetOf(message);
    if (offset <= place.after) return;
    // A gap is the broker's bookkeeping, or retention that overtook a slow reader.
    if (offset !== place.after + 1 && (await oldestOrLost(model)) > place.after + 1) await reader.onReset?.();
    const position = logPosition(place.logId, offset);
    if (message.properties.type !== LOG_MARKER) {
      const fact = readFact(message.content.toString(), origin, hooks);
      if (fact !== undefined) await reader.onEntry({ position, message: fact });
    }
    place.after = offset;
    this.#position = position;
    session.ack(message);
    if (offset === place.newest) reader.onCaughtUp?.();
  }
}

class LostError extends Error {}

async function oldestOrLost(model: ChannelModel): Promise<number> {
  try {
    return await readOldest(model);
  } catch (error) {
    throw new LostError('the channel is lost', { cause: error });
  }
}
