import { median, p99, roundsOf, type Benchmark, type Finding, timesOf } from './benchmark.ts';
import { catalogPlaces, type OpenPlace } from './catalog-places.ts';
import { openSearched, type SearchedCatalog } from './searched-catalog.ts';

const ROUNDS = 400;
const DRIVER_BOUND = 2;
const LIMIT_MS = 25;
const NAMES = '20 names';
const PAIRS = '20 pairs of name and rank';

/** Searches in as many boards as the network has. */
export const search: Benchmark = {
  name: 'search',
  about: 'searches in 3,000 boards with 500,000 entries, on SQLite and MongoDB',
  promise: 'a search among 500,000 entries takes milliseconds',
  run: (say) =>
    eachPlace(say, async (open) => {
      const catalog = await openSearched(open, say);
      try {
        return await measure(catalog, say);
      } finally {
        await catalog.place.remove();
      }
    }),
};

async function eachPlace(
  say: (line: string) => void,
  run: (open: OpenPlace) => Promise<Finding[]>,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const open of catalogPlaces(say)) findings.push(...(await run(open)));
  return findings;
}

async function measure(catalog: SearchedCatalog, say: (line: string) => void): Promise<Finding[]> {
  const { name } = catalog.place;
  const [ours = [], peer = []] = await roundsOf(ROUNDS, catalog.byTime, catalog.byTimeBare);
  const [players = [], playersCpu] = await withCpu(() => roundsOf(ROUNDS, catalog.byPlayers));
  const [ranks = [], ranksCpu] = await withCpu(() => roundsOf(ROUNDS, catalog.byRanks));
  say(`${name}, CPU of this process for each search: ${NAMES} ${playersCpu}, ${PAIRS} ${ranksCpu}`);
  const besideDriver: Finding = {
    what: `${name}, by time: use case and JSON`,
    measured: timesOf(ours),
    against: `the bare driver's rows and JSON ${timesOf(peer)}`,
    ratio: median(ours) / median(peer),
    bound: DRIVER_BOUND,
  };
  if (name === 'SQLite') return [besideDriver, limited(NAMES, players), limited(PAIRS, ranks)];
  // The limit is that of a single process: a server's answers are as late as the machine between is busy.
  say(`${name}, ${NAMES}: ${timesOf(players)}; ${PAIRS}: ${timesOf(ranks)}`);
  return [besideDriver];
}

/** Times of one work, and what each round took of this process's CPU: it says more than times do where others work, too. */
async function withCpu(rounds: () => Promise<number[][]>): Promise<[times: number[] | undefined, cpu: string]> {
  const before = process.cpuUsage();
  const [times] = await rounds();
  const { user, system } = process.cpuUsage(before);
  const asked = ROUNDS + Math.ceil(ROUNDS / 5);
  return [times, `${((user + system) / 1000 / asked).toFixed(2)} ms`];
}

function limited(what: string, times: readonly number[]): Finding {
  return {
    what: `SQLite, ${what}`,
    measured: timesOf(times),
    against: `${LIMIT_MS} ms`,
    ratio: p99(times) / LIMIT_MS,
    bound: 1,
  };
}
