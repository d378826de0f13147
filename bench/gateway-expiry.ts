import { median, p99, type Benchmark, type Finding } from './benchmark.ts';
import { captureAnswer } from './peers/bare-server.ts';
import { CACHE_BYTES, startGateway, type BenchGateway } from './peers/gateway.ts';
import { requestOf, sendLoad, startLoad } from './peers/load.ts';
import { historyPath, ownedAnswers } from './peers/owned-answers.ts';
import { canMeasureProcesses, type OwnProcess } from './peers/own-process.ts';
import { startOwner, type BenchOwner } from './peers/owner.ts';

const KEYS = 300;
const HISTORY_BYTES = 4096;
const PER_SECOND = 2000;
const CONNECTIONS = 64;
const SLOTS = 5;
/** Within which new bytes have to be there after a fact. */
const REFRESH_MS = 3000;
const WARMING_MS = 1000;
const OWNER_MS = 20;
const P99_BOUND = 2;
/** New bytes are packed anew. */
const AS_BROWSERS = { 'Accept-Encoding': 'gzip, deflate, br' };

/** What a slot makes stale all at once, while people go on asking for it. */
export const gatewayExpiry: Benchmark = {
  name: 'gateway-expiry',
  about: `${KEYS} kept answers that a slot makes stale at once, under ${PER_SECOND} requests/s`,
  run: async (say) => {
    if (!canMeasureProcesses(say)) return [];
    const stack = new AsyncDisposableStack();
    try {
      const owner = await startOwner(answersOf(0), stack, OWNER_MS);
      const gateway = await startGateway({ ownersUrl: owner.url, cacheBytes: CACHE_BYTES }, stack);
      const load = startLoad(stack);
      const slots: Slot[] = [];
      // The first slot warms all of it up.
      for (let version = 0; version <= SLOTS; version += 1) {
        const slot = await expire(version, { owner, gateway, load });
        if (version === 0) continue;
        slots.push(slot);
        say(
          `slot ${version}: 99 of 100 within ${ms(slot.steadyMs)} before and ${ms(slot.expiringMs)} after, ${wordsOn(slot)}`,
        );
      }
      return findingsOf(slots);
    } finally {
      await stack.disposeAsync();
    }
  },
};

interface Slot {
  /** The 99th percentile of what was due in the 3 s before the fact, and in the 3 s from the fact on. */
  steadyMs: number;
  expiringMs: number;
  /** How often the owner was asked for the key that it was asked for most, and least. */
  mostAsked: number;
  leastAsked: number;
}

function answersOf(version: number) {
  return ownedAnswers(new Array<number>(KEYS).fill(HISTORY_BYTES), version);
}

/** A load that goes on while its answers become stale. */
async function expire(
  version: number,
  { owner, gateway, load }: { owner: BenchOwner; gateway: BenchGateway; load: OwnProcess },
): Promise<Slot> {
  const running = sendLoad(load, {
    port: gateway.port,
    connections: CONNECTIONS,
    seconds: (WARMING_MS + 2 * REFRESH_MS + 500) / 1000,
    requests: Array.from({ length: KEYS }, (_, index) => requestOf(historyPath(index), AS_BROWSERS)),
    status: 200,
    perSecond: PER_SECOND,
  });
  await Promise.race([running, new Promise((resolve) => setTimeout(resolve, WARMING_MS + REFRESH_MS))]);
  const next = answersOf(version);
  owner.answerWith(next);
  const factAtMs = Date.now();
  await gateway.slotStored();
  const { latenciesMs, beganAtMs } = await running;

  const asked = Array.from({ length: KEYS }, (_, index) => owner.asked.get(historyPath(index)) ?? 0);
  for (let index = 0; index < KEYS; index += 1) {
    const path = historyPath(index);
    const { body } = await captureAnswer(gateway.port, path, {});
    if (Buffer.from(body, 'base64').toString() !== next.get(path)) throw new Error(`${path} is still what it was`);
  }
  const fact = Math.round(((factAtMs - beganAtMs) / 1000) * PER_SECOND);
  const span = (REFRESH_MS / 1000) * PER_SECOND;
  return {
    steadyMs: p99(latenciesMs.slice(fact - span, fact)),
    expiringMs: p99(latenciesMs.slice(fact, fact + span)),
    mostAsked: Math.max(...asked),
    leastAsked: Math.min(...asked),
  };
}

function findingsOf(slots: readonly Slot[]): Finding[] {
  const most = Math.max(...slots.map(({ mostAsked }) => mostAsked));
  const least = Math.min(...slots.map(({ leastAsked }) => leastAsked));
  const steadyMs = median(slots.map((slot) => slot.steadyMs));
  const expiringMs = median(slots.map((slot) => slot.expiringMs));
  return [
    {
      what: `requests to the owner for each of ${KEYS} keys, over ${slots.length} slots`,
      measured: least === most ? `${most} a slot` : `${least} to ${most} a slot`,
      against: 'exactly 1',
      ratio: least === 0 ? Number.POSITIVE_INFINITY : most,
      bound: 1,
    },
    {
      what: `the 99th percentile of the ${REFRESH_MS / 1000} s from the fact on`,
      measured: ms(expiringMs),
      against: `${ms(steadyMs)} in the ${REFRESH_MS / 1000} s before`,
      ratio: median(slots.map((slot) => slot.expiringMs / slot.steadyMs)),
      bound: P99_BOUND,
    },
  ];
}

function wordsOn({ leastAsked, mostAsked }: Slot): string {
  return `the owner was asked ${leastAsked} to ${mostAsked} times for a key`;
}

function ms(value: number): string {
  return `${value.toFixed(2)} ms`;
}
