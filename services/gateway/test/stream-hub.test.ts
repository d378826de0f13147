import { achievementUnlocked, changeRecorded, slotStored, type Message } from '@lobbystats/contracts';
import fc from 'fast-check';
import type { FactHistory, LoggedFact } from '../src/domain/stream/fact-history.ts';
import { StreamHub } from '../src/domain/stream/stream-hub.ts';
import type { StreamReader, StreamSink } from '../src/domain/stream/stream-reader.ts';

const LIMITS = { minEvents: 12, maxEvents: 12, maxBytes: 1_000_000 };
const LOG = '0123456789abcdef';
const ALL = ['online', 'matches', 'changes', 'unlocks', 'events', 'ratings'] as const;

/** A log that everybody reads, and what the public hears of it, in order. */
class SharedLog {
  readonly facts: LoggedFact[] = [];
  readonly said: string[] = [];
  readonly #unread = new Set<number>();

  /** What a reader is handed behind so many facts. */
  behind(count: number): LoggedFact[] {
    return this.facts.filter((_, index) => index >= count && !this.#unread.has(index));
  }

  get isReadable(): boolean {
    return this.#unread.size === 0;
  }

  positionAt(index: number): string {
    return `${LOG}-${index}`;
  }

  /** @param size how many events it makes; 0: a fact that the public hears nothing of; -1: one that nobody can read */
  add(size: number): void {
    const number = this.facts.length + 1;
    this.facts.push({ position: this.positionAt(number), message: factOf(number, Math.max(size, 0)) });
    if (size === -1) this.#unread.add(number - 1);
    for (let event = 1; event <= size; event += 1) this.said.push(`${number}.${event}`);
  }

  history(): FactHistory {
    return {
      read: async (from, take) => {
        const start = from.startsWith(`${LOG}-`) ? Number(from.slice(LOG.length + 1)) : Number.NaN;
        if (!(start <= this.facts.length)) return false;
        for (const fact of this.behind(start)) {
          await Promise.resolve();
          if (!take(fact)) return true;
        }
        return false;
      },
    };
  }
}

/** A gateway that has read the log up to some fact. */
class Gateway {
  readonly hub: StreamHub;
  readonly #log: SharedLog;
  #work: (() => void)[] = [];
  #read: number;

  constructor(log: SharedLog) {
    this.#log = log;
    this.#read = log.facts.length;
    this.hub = new StreamHub({
      history: log.history(),
      titles: { nameOf: () => '' },
      limits: LIMITS,
      watch: { reading: () => undefined, brought: () => undefined, resumed: () => undefined, dropped: () => undefined },
      later: (work) => this.#work.push(work),
      pause: () => Promise.resolve(),
      retryMs: () => 1000,
    });
    this.hub.begin(log.positionAt(this.#read));
  }

  get isCaughtUp(): boolean {
    return this.#read === this.#log.facts.length;
  }

  readOn(): void {
    for (const fact of this.#log.behind(this.#read)) this.hub.entry(fact);
    this.#read = this.#log.facts.length;
    while (this.#work.length > 0) this.#work.shift()?.();
  }
}

/** Somebody who reads, comes back with the id that they had last, and remembers everything. */
class Client {
  readonly heard: string[] = [];
  isTaking = true;
  id: string | undefined;
  #reader: { hub: StreamHub; reader: StreamReader } | undefined;
  #waiting = '';

  get isReading(): boolean {
    return this.#reader !== undefined;
  }

  async join({ hub }: Gateway): Promise<void> {
    this.leave();
    const reader = await hub.join({ topics: ALL, lastEventId: this.id }, () => this.#sink());
    if (reader !== undefined && this.#reader === undefined) this.#reader = { hub, reader };
  }

  /** Hangs up: of what is on its way a part still comes, the rest is lost. */
  leave(blocks = 0): void {
    this.#reader?.hub.leave(this.#reader.reader);
    this.#reader = undefined;
    this.#waiting = this.#waiting.split('\n\n').slice(0, blocks).join('\n\n');
    this.#take();
    this.isTaking = true;
  }

  /** Stops taking, or takes what waits. */
  turn(): void {
    this.isTaking = !this.isTaking;
    if (!this.isTaking || this.#reader === undefined) return;
    this.#take();
    this.#reader.hub.drained(this.#reader.reader);
  }

  #sink(): StreamSink {
    return {
      write: (bytes) => {
        this.#waiting += bytes.toString();
        if (this.isTaking) this.#take();
        return this.isTaking;
      },
      end: () => undefined,
      drop: () => this.leave(),
    };
  }

  #take(): void {
    for (const block of this.#waiting.split('\n\n')) {
      this.id = /^id: (.*)$/m.exec(block)?.[1] ?? this.id;
      if (/^event: reset$/m.test(block)) this.heard.push('reset');
      const event = /^data: .*"online":(\d+)|^data: \{"id":(\d+)/m.exec(block);
      if (event !== null) this.heard.push(nameOf(Number(event[1] ?? event[2])));
    }
    this.#waiting = '';
  }
}

/** A slot is one event, changes are several, a rating of nobody's is told of nowhere. */
function factOf(number: number, size: number): Message {
  const [change] = changeRecorded.example.changes;
  const changes = Array.from({ length: size }, (_, index) => ({ ...change, id: number * 100 + index + 1 }));
  const said =
    size === 1
      ? { type: slotStored.key, data: { ...slotStored.example, online: number * 100 + 1 } }
      : {
          type: size === 0 ? achievementUnlocked.key : changeRecorded.key,
          data: size === 0 ? { unlocks: [] } : { changes },
        };
  const occurredAt = '2026-01-31T18:05:00Z';
  return { id: `fact-${number}`, version: 1, origin: 'simulated', past: false, traceparent: '', occurredAt, ...said };
}

const nameOf = (id: number) => `${Math.floor(id / 100)}.${id % 100}`;

/** Without a reset, nothing is missed, doubled or out of order; a reset excuses what was missed before it. */
function expectTrue(heard: readonly string[], said: readonly string[], mustBeWhole: boolean): void {
  let next: number | undefined;
  for (const event of heard) {
    if (event === 'reset') {
      next = undefined;
      continue;
    }
    const at = said.indexOf(event);
    expect([event, at]).toEqual([event, next ?? at]);
    next = at + 1;
  }
  if (mustBeWhole && next !== undefined) expect(next).toBe(said.length);
}

/** Who has missed no more than is kept goes on without a reset, at a gateway that knows all there is. */
async function expectGoodReturn(client: Client, gateway: Gateway, { said, isReadable }: SharedLog): Promise<void> {
  const { length: before } = client.heard;
  const missed = said.length - 1 - said.indexOf(client.heard.at(-1) ?? '');
  const mustBeKept = isReadable && gateway.isCaughtUp && missed <= LIMITS.minEvents;
  await client.join(gateway);
  if (mustBeKept) expect(client.heard.slice(before)).not.toContain('reset');
}

describe('the stream of several gateways over one log,', () => {
  it.each([
    ['all of which can be read', 0],
    ['parts of which nobody can read', -1],
  ])(
    '%s brings each reader every event once and in order, or says that some may be missing',
    async (_log, readable) => {
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
        { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const), gateway: fc.nat(1) }) },
      );
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 60, maxLength: 120 }), async (steps) => {
          const log = new SharedLog();
          const gateways = [new Gateway(log), new Gateway(log)];
          const clients = [new Client(), new Client(), new Client()];
          const homes = new Map<Client, number>();
          for (const taken of steps) {
            if (taken.do === 'fact') log.add(taken.size);
            if (taken.do === 'read') gateways[taken.gateway]!.readOn();
            if (taken.do === 'leave') clients[taken.client]!.leave(taken.blocks);
            if (taken.do === 'turn') clients[taken.client]!.turn();
            if (taken.do === 'beat') for (let turn = 0; turn < 15; turn += 1) gateways[taken.gateway]!.hub.beat();
            if (taken.do === 'restart') {
              for (const client of clients) if (homes.get(client) === taken.gateway) client.leave();
              gateways[taken.gateway] = new Gateway(log);
            }
            if (taken.do === 'join') {
              homes.set(clients[taken.client]!, taken.gateway);
              await expectGoodReturn(clients[taken.client]!, gateways[taken.gateway]!, log);
            }
          }
          for (const client of clients) if (!client.isTaking) client.turn();
          for (const gateway of gateways) gateway.readOn();
          for (const { heard, isReading } of clients) expectTrue(heard, log.said, isReading);
        }),
        { numRuns: 150 },
      );
    },
  );
});
