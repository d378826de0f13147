import fc from 'fast-check';
import { achievementUnlocked, changeRecorded, slotStored, type Message } from '@lobbystats/contracts';
import type { LogReader, Subscription } from '@lobbystats/service-kit/bus';
import { parseEventId } from '../src/stream/stream-frame.ts';
import { StreamHub } from '../src/stream/stream-hub.ts';
import type { StreamLog, LoggedFact } from '../src/stream/stream-log.ts';
import type { StreamReader, StreamSink } from '../src/stream/stream-reader.ts';
import { backfillStream } from '../src/stream/backfill-stream.bus.ts';

const LIMITS = { minEvents: 12, maxEvents: 12, maxBytes: 1_000_000 };
/** Facts that a gateway reads at its start. */
const FACTS = [2, 4, 15];
const FACTS_MAX = 15;
const LOG = '0123456789abcdef';
const ALL_TOPICS = ['online', 'matches', 'changes', 'unlocks', 'events', 'ratings'] as const;

/** The shared fact log and its expected events in order. */
class SharedLog {
  readonly facts: LoggedFact[] = [];
  readonly events: string[] = [];
  /** Number of oldest facts that are no longer in the log. */
  dropped = 0;
  isDown = false;
  readonly #unreadable = new Set<number>();

  /** The readable facts after the first `count`. */
  after(count: number): LoggedFact[] {
    return this.facts.filter((_, index) => index >= count && !this.#unreadable.has(index));
  }

  positionAt(index: number): string {
    return `${LOG}-${index}`;
  }

  /** @param size number of events; 0: a fact without public events; -1: an unreadable fact */
  add(size: number): void {
    const number = this.facts.length + 1;
    this.facts.push({ position: this.positionAt(number), message: factOf(number, Math.max(size, 0)) });
    if (size === -1) this.#unreadable.add(number - 1);
    for (let event = 1; event <= size; event += 1) this.events.push(`${number}.${event}`);
  }

  /** Reads the log as a bus does. */
  async readLog(reader: LogReader): Promise<Subscription> {
    queueMicrotask(() => void this.#read(reader).catch(reader.onFault));
    return { stop: () => Promise.resolve() };
  }

  async #read({ from, onEntry, onReset, onCaughtUp }: LogReader): Promise<void> {
    const offset = offsetOf(from);
    if (offset < this.dropped) await onReset?.();
    for (const fact of this.after(Math.max(offset, this.dropped))) {
      if (this.isDown) throw new Error('the log is down');
      await onEntry(fact);
    }
    onCaughtUp?.();
  }
}

/** A gateway that has read part of the log. */
class Gateway {
  readonly hub: StreamHub;
  readonly #log: SharedLog;
  readonly #oldest: number;
  #newest: number;
  #work: (() => void)[] = [];
  #read: number;

  private constructor(log: SharedLog, end: number, stream: StreamLog) {
    this.#log = log;
    this.#read = end;
    this.#newest = offsetOf(stream.end);
    this.#oldest = oldestAfterStart(log, end);
    this.hub = new StreamHub({
      metrics: {
        readers: { set: () => undefined },
        events: { inc: () => undefined },
        resumed: { inc: () => undefined },
        dropped: { inc: () => undefined },
      },
      defer: (work) => this.#work.push(work),
      retryMs: () => 1000,
    });
    this.hub.begin(stream);
  }

  /** @param facts number of facts published after the end of the log was read */
  static async start(log: SharedLog, facts = 0): Promise<Gateway> {
    const end = Math.max(log.facts.length - facts, log.dropped);
    const directory = { find: () => undefined };
    const pause = () => Promise.resolve();
    const backfill = backfillStream({ bus: log, directory, limits: LIMITS, facts: FACTS, pause });
    return new Gateway(log, end, await backfill(log.positionAt(end)));
  }

  /** Whether it must resume from an ID within the backlog. */
  resumes(id: string): boolean {
    const offset = offsetOf(id);
    return this.#read === this.#log.facts.length && offset >= this.#oldest && offset <= this.#newest;
  }

  catchUp(): void {
    for (const fact of this.#log.after(this.#read)) {
      this.hub.append(fact);
      this.#newest = offsetOf(fact.position);
    }
    this.#read = this.#log.facts.length;
    while (this.#work.length > 0) this.#work.shift()?.();
  }
}

/** The oldest offset from which a gateway that starts now can resume. */
function oldestAfterStart(log: SharedLog, end: number): number {
  if (log.isDown) return end;
  const from = Math.max(end - FACTS_MAX, 0);
  if (from >= log.dropped) return from;
  const [oldest] = log.after(log.dropped);
  return oldest === undefined ? end : Math.min(offsetOf(oldest.position) - 1, end);
}

/** A client that reconnects with its last event ID and records all events. */
class ReconnectingClient {
  readonly received: string[] = [];
  isDraining = true;
  id: string | undefined;
  #reader: { hub: StreamHub; reader: StreamReader } | undefined;
  #inTransit = '';

  get isReading(): boolean {
    return this.#reader !== undefined;
  }

  async join({ hub }: Gateway): Promise<void> {
    this.leave();
    const reader = await hub.join({ topics: ALL_TOPICS, lastEventId: this.id }, () => this.#sink());
    if (reader !== undefined && this.#reader === undefined) this.#reader = { hub, reader };
  }

  /** Disconnects: of the data in transit, some blocks arrive and the rest is lost. */
  leave(blocks = 0): void {
    this.#reader?.hub.leave(this.#reader.reader);
    this.#reader = undefined;
    this.#inTransit = this.#inTransit.split('\n\n').slice(0, blocks).join('\n\n');
    this.#parse();
    this.isDraining = true;
  }

  /** Stops or resumes reading. */
  toggleDraining(): void {
    this.isDraining = !this.isDraining;
    if (!this.isDraining || this.#reader === undefined) return;
    this.#parse();
    this.#reader.hub.drained(this.#reader.reader);
  }

  #sink(): StreamSink {
    return {
      write: (bytes) => {
        this.#inTransit += bytes.toString();
        if (this.isDraining) this.#parse();
        return this.isDraining;
      },
      end: () => undefined,
      destroy: () => this.leave(),
    };
  }

  #parse(): void {
    for (const block of this.#inTransit.split('\n\n')) {
      this.id = /^id: (.*)$/m.exec(block)?.[1] ?? this.id;
      if (/^event: reset$/m.test(block)) this.received.push('reset');
      const event = /^data: .*"online":(\d+)|^data: \{"id":(\d+)/m.exec(block);
      if (event !== null) this.received.push(eventName(Number(event[1] ?? event[2])));
    }
    this.#inTransit = '';
  }
}

/** A slot is one event, changes are several, an empty unlock fact is none. */
function factOf(number: number, size: number): Message {
  const [change] = changeRecorded.example.changes;
  const changes = Array.from({ length: size }, (_, index) => ({ ...change, id: number * 100 + index + 1 }));
  const content =
    size === 1
      ? { type: slotStored.key, data: { ...slotStored.example, online: number * 100 + 1 } }
      : {
          type: size === 0 ? achievementUnlocked.key : changeRecorded.key,
          data: size === 0 ? { unlocks: [] } : { changes },
        };
  const envelope = { version: 1, origin: 'simulated', past: false, traceparent: '' };
  return { id: `fact-${number}`, occurredAt: '2026-01-31T18:05:00Z', ...envelope, ...content };
}

const offsetOf = (id: string) => parseEventId(id)?.offset ?? Number.NaN;
const eventName = (id: number) => `${Math.floor(id / 100)}.${id % 100}`;

/** Fails if events are missing, repeated or out of order without a reset between them. */
function expectOrdered(heard: readonly string[], logEvents: readonly string[], mustBeWhole: boolean): void {
  let next: number | undefined;
  for (const event of heard) {
    if (event === 'reset') {
      next = undefined;
      continue;
    }
    const at = logEvents.indexOf(event);
    if (at !== (next ?? at)) expect([event, at]).toEqual([event, next]);
    next = at + 1;
  }
  if (mustBeWhole && next !== undefined) expect(next).toBe(logEvents.length);
}

/** Fails if a client within the backlog receives a reset from an up-to-date gateway. */
async function expectResumption(client: ReconnectingClient, gateway: Gateway, { events }: SharedLog): Promise<void> {
  const { length: before } = client.received;
  const missed = events.length - 1 - events.indexOf(client.received.at(-1) ?? '');
  const mustResume = client.id !== undefined && gateway.resumes(client.id) && missed <= LIMITS.minEvents;
  await client.join(gateway);
  if (mustResume) expect(client.received.slice(before)).not.toContain('reset');
}

describe('event stream of several gateways over one fact log', () => {
  it.each([
    ['with a readable log', 0],
    ['with a partly unreadable log', -1],
  ])('%s delivers every event once and in order to each client, or sends a reset', async (_log, readable) => {
    const step = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({ do: fc.constant('fact' as const), size: fc.integer({ min: readable, max: 5 }) }),
      },
      { weight: 3, arbitrary: fc.record({ do: fc.constant('read' as const), gateway: fc.nat(1) }) },
      {
        weight: 2,
        arbitrary: fc.record({ do: fc.constant('join' as const), gateway: fc.nat(1), client: fc.nat(2) }),
      },
      {
        weight: 1,
        arbitrary: fc.record({ do: fc.constant('leave' as const), client: fc.nat(2), blocks: fc.nat(4) }),
      },
      { weight: 2, arbitrary: fc.record({ do: fc.constant('turn' as const), client: fc.nat(2) }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('beat' as const), gateway: fc.nat(1) }) },
      {
        weight: 1,
        arbitrary: fc.record({
          do: fc.constant('restart' as const),
          gateway: fc.nat(1),
          facts: fc.nat(3),
          isDown: fc.nat(4).map((chance) => chance === 4),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({ do: fc.constant('drop' as const), kept: fc.integer({ min: 3, max: 20 }) }),
      },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 60, maxLength: 120 }), async (steps) => {
        const log = new SharedLog();
        const gateways = [await Gateway.start(log), await Gateway.start(log)];
        const clients = [new ReconnectingClient(), new ReconnectingClient(), new ReconnectingClient()];
        const homes = new Map<ReconnectingClient, number>();
        for (const taken of steps) {
          if (taken.do === 'fact') log.add(taken.size);
          if (taken.do === 'read') gateways[taken.gateway]!.catchUp();
          if (taken.do === 'leave') clients[taken.client]!.leave(taken.blocks);
          if (taken.do === 'turn') clients[taken.client]!.toggleDraining();
          if (taken.do === 'beat') for (let tick = 0; tick < 15; tick += 1) gateways[taken.gateway]!.hub.heartbeat();
          if (taken.do === 'restart') {
            for (const client of clients) if (homes.get(client) === taken.gateway) client.leave();
            log.isDown = taken.isDown;
            gateways[taken.gateway] = await Gateway.start(log, taken.facts);
          }
          if (taken.do === 'drop') log.dropped = Math.max(log.dropped, log.facts.length - taken.kept);
          if (taken.do === 'join') {
            homes.set(clients[taken.client]!, taken.gateway);
            await expectResumption(clients[taken.client]!, gateways[taken.gateway]!, log);
          }
        }
        for (const client of clients) if (!client.isDraining) client.toggleDraining();
        for (const gateway of gateways) gateway.catchUp();
        for (const { received, isReading } of clients) expectOrdered(received, log.events, isReading);
      }),
      { numRuns: 150 },
    );
  });
});
