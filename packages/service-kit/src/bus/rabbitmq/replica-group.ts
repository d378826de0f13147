import { randomUUID } from 'node:crypto';
import type { ServiceName } from '@lobbystats/contracts';
import { AppError, messageOf } from '@lobbystats/contracts/errors';
import type { Channel, ConsumeMessage } from 'amqplib';
import { ANSWER_MS, type Leadership, type Replica } from '../replicas.ts';
import { ConsumerSession } from './channels.ts';
import type { BrokerConnection } from './connect.ts';
import { closeChannel, pause, Reconnecting } from './reconnecting.ts';
import { repliesQueue, jobsQueue, replicasExchange } from './topology.ts';

const TICK_MS = 1000;
/** A replica leads for this time after it sent a tick that came back. */
const LEASE_MS = 8000;
/** A replica that was stopped may send this number of requests when it continues. */
const JOBS_AT_ONCE = 2;
const READY_MS = 10;
/** RabbitMQ closes the channel, and with it the leadership, for a message of more than 16 MiB. */
const MAX_ANSWER_BYTES = 15 * 1024 * 1024;

/** `atMs`: `performance.now()`. `wallMs`: `Date.now()`, which goes on while the machine sleeps. */
interface Tick {
  readonly by: string;
  readonly atMs: number;
  readonly wallMs: number;
}

interface Job {
  readonly id: string;
  readonly job: unknown;
}

type Answer = { readonly id: string } & ({ readonly result: unknown } | { readonly error: string });

/**
 * The replicas of a service on RabbitMQ. All send ticks to the queue of answers, which has a single active consumer: the
 * replica whose own tick comes back leads.
 */
export class ReplicaGroup {
  readonly #service: ServiceName;
  readonly #replica: Replica;
  readonly #name = randomUUID();
  readonly #channel: Reconnecting<Channel>;
  readonly #ticks: NodeJS.Timeout;
  readonly #asked = new Map<string, PromiseWithResolvers<unknown>>();
  /** Jobs that replicas have, or RabbitMQ has lost. */
  readonly #given = new Set<string>();
  /** When the last tick of each replica came. The leader gets all ticks. */
  readonly #seenMs = new Map<string, number>();
  readonly #working = new Set<Promise<void>>();
  readonly #stopped = new AbortController();
  #leading: { lastTick: Tick; readonly ended: AbortController } | undefined;
  #led = Promise.resolve();

  constructor(connection: BrokerConnection, service: ServiceName, replica: Replica) {
    this.#service = service;
    this.#replica = replica;
    this.#channel = new Reconnecting(
      () => connection.createChannel(),
      (channel) => this.#open(channel),
    );
    this.#ticks = setInterval(() => this.#tick(), TICK_MS);
  }

  async stop(): Promise<void> {
    clearInterval(this.#ticks);
    this.#stopped.abort(new AppError('unavailable', 'The replica stops'));
    this.#end();
    await this.#led;
    await Promise.all(this.#working);
    await this.#channel.close();
  }

  async #open(channel: Channel): Promise<void> {
    channel.once('close', () => this.#end());
    const session = new ConsumerSession(channel);
    await channel.prefetch(JOBS_AT_ONCE);
    await session.consume(jobsQueue(this.#service), (message) => this.#onJob(message, session));
    const onReply = ({ content }: ConsumeMessage) => this.#onReply(parse(content) as Tick | Answer, channel);
    await session.consume(repliesQueue(this.#service), onReply, { noAck: true });
  }

  #tick(): void {
    if (this.#leading !== undefined && ageMs(this.#leading.lastTick) >= LEASE_MS) this.#end();
    this.#publish(repliesQueue(this.#service), { by: this.#name, atMs: performance.now(), wallMs: Date.now() });
  }

  #onReply(message: Tick | Answer, channel: Channel): void {
    if (!('by' in message)) {
      const asked = this.#asked.get(message.id);
      this.#asked.delete(message.id);
      if ('result' in message) asked?.resolve(message.result);
      else asked?.reject(new AppError('unavailable', message.error));
      return;
    }
    this.#seenMs.set(message.by, performance.now());
    if (message.by !== this.#name || ageMs(message) >= LEASE_MS || this.#stopped.signal.aborted) return;
    if (this.#leading === undefined) this.#lead(message, channel);
    else this.#leading.lastTick = message;
  }

  #lead(lastTick: Tick, channel: Channel): void {
    const leading = (this.#leading = { lastTick, ended: new AbortController() });
    const { signal } = leading.ended;
    // A silent channel is given up, so that another replica may lead.
    signal.addEventListener('abort', () => void closeChannel(channel));
    const expectLeading = (): void => {
      signal.throwIfAborted();
      if (ageMs(leading.lastTick) >= LEASE_MS) throw notLeading();
    };
    const ready = async (): Promise<void> => {
      expectLeading();
      // One more waits at RabbitMQ, so that a replica goes on at once.
      while (this.#given.size > JOBS_AT_ONCE * this.#countReplicas()) {
        await pause(READY_MS);
        expectLeading();
      }
    };
    const ask: Leadership['ask'] = async (job, turn) => {
      const id = randomUUID();
      const asked = Promise.withResolvers<unknown>();
      this.#asked.set(id, asked);
      const give = async (): Promise<void> => {
        await turn();
        expectLeading();
        if (!this.#asked.has(id)) return;
        this.#given.add(id);
        this.#publish(jobsQueue(this.#service), { id, job });
        await pause(ANSWER_MS);
        this.#given.delete(id);
      };
      try {
        while (this.#asked.has(id)) await Promise.race([asked.promise, give()]);
        return await asked.promise;
      } finally {
        this.#asked.delete(id);
        this.#given.delete(id);
      }
    };
    const leadership = { signal, expectLeading, ready, ask };
    this.#led = this.#led.then(() => (signal.aborted ? undefined : this.#replica.lead(leadership)));
  }

  /** Those that have sent a tick lately. */
  #countReplicas(): number {
    const sinceMs = performance.now() - ANSWER_MS;
    for (const [by, ms] of this.#seenMs) if (ms < sinceMs) this.#seenMs.delete(by);
    return this.#seenMs.size;
  }

  #end(): void {
    this.#leading?.ended.abort(notLeading());
    this.#leading = undefined;
    for (const { reject } of this.#asked.values()) reject(notLeading());
    this.#asked.clear();
  }

  /** Acknowledges only what is done: RabbitMQ gives a replica no more than {@link JOBS_AT_ONCE}. */
  #onJob(message: ConsumeMessage, session: ConsumerSession): void {
    // Its replica was lost, and may have begun it: the leader gives it again within the limit.
    if (message.fields.redelivered) {
      session.ack(message);
      return;
    }
    const { id, job } = parse(message.content) as Job;
    const done = this.#replica
      .work(job, this.#stopped.signal)
      .then(
        (result) => this.#answer({ id, result }),
        (error: unknown) => this.#answer({ id, error: messageOf(error) }),
      )
      .finally(() => {
        session.ack(message);
        this.#working.delete(done);
      });
    this.#working.add(done);
  }

  #answer(answer: Answer): void {
    const isTooLarge = Buffer.byteLength(JSON.stringify(answer)) > MAX_ANSWER_BYTES;
    this.#publish(
      repliesQueue(this.#service),
      isTooLarge ? { id: answer.id, error: 'The result is too large' } : answer,
    );
  }

  /** A message that is lost with its channel is sent again: a tick after a second, a job when no answer comes. */
  #publish(queue: string, message: Tick | Job | Answer): void {
    try {
      this.#channel.current?.publish(replicasExchange(this.#service), queue, Buffer.from(JSON.stringify(message)));
    } catch {
      // The channel is closing.
    }
  }
}

function ageMs({ atMs, wallMs }: Tick): number {
  return Math.max(performance.now() - atMs, Date.now() - wallMs);
}

function notLeading(): AppError {
  return new AppError('unavailable', 'Another replica may lead');
}

function parse(content: Buffer): unknown {
  return JSON.parse(content.toString());
}
