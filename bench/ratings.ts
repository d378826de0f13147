import { operations } from '@lobbystats/contracts';
import type { Benchmark } from './benchmark.ts';
import { sendAll } from './ratings-load.ts';
import { calm, cpuSecondsOf, KEY, somebody, startAuth, startSystem } from './ratings-system.ts';

const RATINGS = 20_000;
const SECONDS = 10;
const AT_ONCE = 64;
/** Readers whose session can't be asked for at once are shown what anybody sees: so many are. */
const VERIFIED_AT_ONCE = 16;

/** Distinct people rate one profile, through the gateway of the whole system in a process of its own. */
export const ratings: Benchmark = {
  name: 'ratings',
  about: `${RATINGS} ratings of one profile by as many people whose sessions are verified, in npm start`,
  run: async (say) => {
    const stack = new AsyncDisposableStack();
    try {
      const auth = await startAuth(stack);
      const { url, simulatorUrl, pid } = await startSystem(auth.url, stack);
      const path = operations.rateProfile.path.replace(
        ':username',
        encodeURIComponent(await somebody(url, simulatorUrl)),
      );
      // What the first start brings in isn't part of what ratings cost.
      await calm(pid);
      const all = { url, count: RATINGS };
      const warming = await sendAll({ ...all, connections: VERIFIED_AT_ONCE, requestOf: (n) => readOf(path, n) });
      say(`${auth.asked()} of ${RATINGS} sessions were verified in ${(warming.ms / 1000).toFixed(1)} s`);
      const before = await reputation(url, path);
      const askedBefore = auth.asked();
      const cpuBefore = await cpuSecondsOf(pid);
      const took = await sendAll({ ...all, connections: AT_ONCE, requestOf: (n) => ratingOf(path, n) });
      const asked = auth.asked() - askedBefore;
      const cpu = (await cpuSecondsOf(pid)) - cpuBefore;
      if (!Number.isNaN(cpu)) say(`the system took ${((1000 * cpu) / RATINGS).toFixed(2)} ms of CPU a rating`);
      if (took.again > 0) say(`${took.again} times a rating was refused with 503 and sent again`);
      if (asked > 0)
        say(`${asked} sessions had to be verified again: the machine is too busy to warm all of them in time`);
      const after = await reputation(url, path);
      expectExact(before, after);
      const seconds = took.ms / 1000;
      return [
        {
          what: `${RATINGS} ratings, all there once and the average exact`,
          measured: `${seconds.toFixed(1)} s (${Math.round(RATINGS / seconds)} a second)`,
          against: `${SECONDS} s`,
          ratio: seconds / SECONDS,
          bound: 1,
        },
      ];
    } finally {
      await stack.disposeAsync();
    }
  },
};

const keyOf = (number: number) => `${KEY}${number}`;
const starsOf = (number: number) => 1 + (number % 5);

function readOf(path: string, number: number): string {
  return `GET ${path}?feedbackLimit=1 HTTP/1.1\r\nHost: bench\r\nX-Session-Key: ${keyOf(number)}\r\n\r\n`;
}

function ratingOf(path: string, number: number): string {
  const body = `{"stars":${starsOf(number)}}`;
  const head = `POST ${path} HTTP/1.1\r\nHost: bench\r\nX-Session-Key: ${keyOf(number)}\r\n`;
  return `${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

interface Reputation {
  average: number;
  ratingCount: number;
}

async function reputation(url: string, path: string): Promise<Reputation> {
  return (await (await fetch(url + path)).json()) as Reputation;
}

function expectExact(before: Reputation, after: Reputation): void {
  const stars = Array.from({ length: RATINGS }, (_, number) => starsOf(number)).reduce((sum, one) => sum + one, 0);
  const average = Math.round((100 * (50 + stars)) / (10 + RATINGS)) / 100;
  const isExact = before.ratingCount === 0 && after.ratingCount === RATINGS && after.average === average;
  if (!isExact) throw new Error(`${JSON.stringify(after)}, where ${RATINGS} and ${average} were expected`);
}
