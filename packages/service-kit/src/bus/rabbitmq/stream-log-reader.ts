import type { Channel, ConsumeMessage } from 'amqplib';
import type { BusContext } from '../bus-base.ts';
import { toLogPosition, resolvePosition } from '../log-position.ts';
import type { LogPosition, LogReader } from '../message-bus.ts';
import { readFact } from '../decode-message.ts';
import { ConsumerSession } from './channels.ts';
import type { BrokerConnection } from './connect.ts';
import { Reconnecting } from './reconnecting.ts';
import { offsetOf, readBounds, readOldest } from './stream-bounds.ts';
import { LOG, LOG_MARKER } from './topology.ts';

interface StreamLogReaderOptions extends BusContext {
  readonly connection: BrokerConnection;
  readonly reader: LogReader;
}

const PREFETCH = 100;

export class StreamLogReader {
  readonly #options: StreamLogReaderOptions;
  readonly #channel: Reconnecting<Channel>;
  #position: LogPosition;
  #work: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(options: StreamLogReaderOptions) {
    this.#options = options;
    this.#position = options.reader.from;
    this.#channel = new Reconnecting(
      () => options.connection.createChannel(),
      (channel) => this.#setUp(channel),
    );
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#channel.close();
    await this.#work;
  }

  async #setUp(channel: Channel): Promise<void> {
    // The last fact of the previous channel still advances the position.
    await this.#work;
    const { logId, ...bounds } = await readBounds(this.#options.connection);
    const { after, reset } = resolvePosition(this.#position, logId, bounds);
    const session = new ConsumerSession(channel);
    if (reset) this.#enqueue(session, async () => this.#options.reader.onReset?.());
    if (after >= bounds.newest) this.#enqueue(session, async () => this.#options.reader.onCaughtUp?.());
    const progress = { logId, after, newest: bounds.newest };
    await channel.prefetch(PREFETCH);
    await session.consume(LOG, (message) => this.#enqueue(session, () => this.#deliver(message, session, progress)), {
      arguments: { 'x-stream-offset': after + 1 },
    });
  }

  #enqueue(session: ConsumerSession, work: () => Promise<void> | undefined): void {
    this.#work = this.#work.then(async () => {
      if (this.#stopped || !session.isOpen) return;
      try {
        await work();
      } catch (error) {
        this.#stopped = true;
        void this.#channel.close();
        this.#options.reader.onFault(error);
      }
    });
  }

  async #deliver(
    message: ConsumeMessage,
    session: ConsumerSession,
    progress: { logId: string; after: number; newest: number },
  ): Promise<void> {
    const { connection, reader, origin, hooks } = this.#options;
    const offset = offsetOf(message);
    if (offset <= progress.after) return;
    if (offset !== progress.after + 1) {
      // A gap is internal to the broker, or retention has overtaken a slow reader.
      const oldest = await readOldest(connection).catch(() => undefined);
      if (oldest === undefined) {
        // The next channel continues.
        session.abandon();
        return;
      }
      if (oldest > progress.after + 1) await reader.onReset?.();
    }
    const position = toLogPosition(progress.logId, offset);
    if (message.properties.type !== LOG_MARKER) {
      const fact = readFact(message.content.toString(), reader, { origin, hooks });
      if (fact !== undefined) await reader.onEntry({ position, message: fact });
    }
    progress.after = offset;
    this.#position = position;
    session.ack(message);
    if (offset === progress.newest) reader.onCaughtUp?.();
  }
}
