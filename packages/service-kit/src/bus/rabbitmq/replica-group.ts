import { randomUUID } from 'node:crypto';
import type { ServiceName } from '@lobbystats/contracts';
import { AppError, messageOf } from '@lobbystats/contracts/errors';
import type { Channel, ConfirmChannel, ConsumeMessage } from 'amqplib';
import { FRESH_MS, SETTLE_MS, type JobContext, type Replica } from '../replicas.ts';
import { reconnectingChannel, reconnectingConfirmChannel } from './channels.ts';
import type { BrokerConnection } from './connect.ts';
import { Freshness, presentInstant, type Instant } from './freshness.ts';
import { Leading, type Job, type JobReply } from './leading.ts';
import { pause, type Reconnecting } from './reconnecting.ts';
import { repliesQueue, jobsQueue, replicasExchange } from './topology.ts';

/** Jobs of one replica at once, more than any leader gives. */
const PREFETCH = 1000;
const DELIVERY_PING_MS = 100;
const LEADER_PING_MS = 500;
/** A leader without a reply to its pings for this time gives up. */
const SILENCE_MS = 5000;
const MAX_PAST_TERMS = 100;
/** RabbitMQ closes the channel, and with it the leadership, for a message of more than 16 MiB. */
const MAX_REPLY_BYTES = 15 * 1024 * 1024;

/** To the leader, which alone receives the replies: the queue has a single active consumer. */
type Reply = ({ ping: string } & Instant) | JobReply;

/**
 * The replicas of a service on RabbitMQ. The single active consumer of the queue of replies leads: it knows so from its
 * own pings, which come back to it alone.
 */
export class ReplicaGroup {
  readonly #service: ServiceName;
  readonly #replica: Replica;
  readonly #name = randomUUID();
  readonly #replies: Reconnecting<ConfirmChannel>;
  readonly #jobs: Reconnecting<Channel>;
  readonly #pings: NodeJS.Timeout[];
  readonly #working = new Set<Promise<void>>();
  #leading: Leading | undefined;
  #led = Promise.resolve();
  #delivered = new Freshness();
  readonly #pastTerms = new Set<string>();
  #term = { of: '', ended: new AbortController() };

  constructor(connection: BrokerConnection, service: ServiceName, replica: Replica) {
    this.#service = service;
    this.#replica = replica;
    this.#replies = reconnectingConfirmChannel(
      connection,
      (channel) => this.#listen(channel),
      () => undefined,
    );
    this.#jobs = reconnectingChannel(connection, (channel) => this.#work(channel));
    this.#pings = [
      setInterval(() => this.#ping(), LEADER_PING_MS),
      setInterval(() => this.#refresh(), DELIVERY_PING_MS),
    ];
  }

  async stop(): Promise<void> {
    for (const timer of this.#pings) clearInterval(timer);
    this.#leading?.end();
    this.#term.ended.abort(new AppError('unavailable', 'The replica stops'));
    await this.#led;
    await Promise.all(this.#working);
    await Promise.all([this.#replies.close(), this.#jobs.close()]);
  }

  async #listen(channel: ConfirmChannel): Promise<void> {
    channel.once('close', () => this.#leading?.end());
    await channel.consume(
      repliesQueue(this.#service),
      (message) => {
        if (message === null) void channel.close().catch(() => undefined);
        else this.#onReply(JSON.parse(message.content.toString()) as Reply, channel);
      },
      { noAck: true },
    );
  }

  #onReply(reply: Reply, channel: ConfirmChannel): void {
    if (!('ping' in reply)) this.#leading?.onReply(reply);
    else if (reply.ping === this.#name) {
      this.#leading ??= this.#begin(channel);
      this.#leading.confirmed.refresh(reply);
    }
  }

  #begin(channel: ConfirmChannel): Leading {
    const publish = (job: Job, done: (error: unknown) => void) =>
      channel.publish(replicasExchange(this.#service), jobsQueue(this.#service), bodyOf(job), {}, done);
    const leading = new Leading(publish, () => this.#ping());
    // A channel that is silent is given up, so that another replica may lead.
    leading.signal.addEventListener('abort', () => {
      this.#leading = undefined;
      this.#replies.drop(channel);
    });
    leading.greet();
    this.#led = this.#led
      .then(() => Promise.race([pause(SETTLE_MS), leading.ended]))
      .then(() => (leading.signal.aborted ? undefined : this.#replica.lead(leading)));
    return leading;
  }

  #ping(): void {
    if (this.#leading !== undefined && this.#leading.confirmed.ageMs() > SILENCE_MS) this.#leading.end();
    this.#reply({ ping: this.#name, ...presentInstant() });
  }

  #reply(reply: Reply): void {
    let body = bodyOf(reply);
    if (body.length > MAX_REPLY_BYTES && 'of' in reply) {
      body = bodyOf({ of: reply.of, id: reply.id, error: 'The result is too large' });
    }
    try {
      this.#replies.current?.publish(replicasExchange(this.#service), repliesQueue(this.#service), body);
    } catch {
      // The channel is closing.
    }
  }

  async #work(channel: Channel): Promise<void> {
    this.#delivered = new Freshness();
    await channel.prefetch(PREFETCH);
    await channel.consume(jobsQueue(this.#service), (message) => {
      if (message === null) void channel.close().catch(() => undefined);
      else this.#onJob(message, channel);
    });
  }

  /** The broker responds in the order of deliveries: what follows is younger than the request. */
  #refresh(): void {
    const channel = this.#jobs.current;
    const asked = presentInstant();
    channel?.prefetch(PREFETCH).then(
      () => this.#delivered.refresh(asked),
      () => undefined,
    );
  }

  #onJob(message: ConsumeMessage, channel: Channel): void {
    const { of, id, job } = JSON.parse(message.content.toString()) as Job;
    const delivered = this.#delivered.copy();
    const isTaken = this.#follow(of) && job !== undefined;
    // A replica that was lost may have begun a redelivered job.
    if (!isTaken || message.fields.redelivered) {
      if (isTaken) this.#reply({ of, id, error: 'Its replica was lost' });
      acknowledge(message, channel);
      return;
    }
    const { signal } = this.#term.ended;
    const context: JobContext = {
      signal,
      expectFresh: () => {
        signal.throwIfAborted();
        if (delivered.ageMs() > FRESH_MS) throw new AppError('unavailable', 'The job is too old');
      },
      begun: () => this.#reply({ of, id, begun: true }),
    };
    const done = this.#replica
      .work(job, context)
      .then(
        (result) => this.#reply({ of, id, result }),
        (error: unknown) => this.#reply({ of, id, error: messageOf(error) }),
      )
      .finally(() => {
        acknowledge(message, channel);
        this.#working.delete(done);
      });
    this.#working.add(done);
  }

  /** False for a job of a leader that another one has followed. */
  #follow(of: string): boolean {
    if (this.#pastTerms.has(of)) return false;
    if (this.#term.of === of) return true;
    this.#pastTerms.add(this.#term.of);
    for (const oldest of [...this.#pastTerms].slice(0, -MAX_PAST_TERMS)) this.#pastTerms.delete(oldest);
    this.#term.ended.abort(new AppError('unavailable', 'Another replica leads'));
    this.#term = { of, ended: new AbortController() };
    return true;
  }
}

/** Only after the job is done: the broker returns those of a lost replica to the leader. */
function acknowledge(message: ConsumeMessage, channel: Channel): void {
  try {
    channel.ack(message);
  } catch {
    // The channel is closing.
  }
}

function bodyOf(value: Job | Reply): Buffer {
  return Buffer.from(JSON.stringify(value));
}
