import { median, p99, runInterleaved, type Benchmark, type Finding, formatLatencies } from './benchmark.ts';
import { catalogFixtures, type OpenCatalogFixture } from './catalog-fixtures.ts';
import { openSearchCatalog, type SearchCatalog } from './search-catalog.ts';

const ROUNDS = 400;
const DRIVER_BOUND = 2;
const LIMIT_MS = 25;
const SUGGESTION_LIMIT_MS = 10;
const NAMES = '20 names';
const PREFIX = 'suggestions for 1 to 4 characters';
const PARTS = 'four letters within a name';
const WORDS = 'words of a game and a leaderboard';
const PAIRS = '20 pairs of name and rank';

export const search: Benchmark = {
  name: 'search',
  description: 'searches in 3,000 boards with 500,000 entries, on SQLite and MongoDB',
  promise: 'a search among 500,000 entries takes milliseconds',
  run: (say) =>
    forEachStore(say, async (open) => {
      const catalog = await openSearchCatalog(open, say);
      try {
        return await measure(catalog, say);
      } finally {
        await catalog.place.remove();
      }
    }),
};

async function forEachStore(
  say: (line: string) => void,
  run: (open: OpenCatalogFixture) => Promise<Finding[]>,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const open of catalogFixtures(say)) findings.push(...(await run(open)));
  return findings;
}

async function measure(catalog: SearchCatalog, say: (line: string) => void): Promise<Finding[]> {
  const { name } = catalog.place;
  const [useCaseTimes = [], peer = []] = await runInterleaved(ROUNDS, catalog.byTime, catalog.byTimeBare);
  const [players = [], playersCpu] = await withCpu(() => runInterleaved(ROUNDS, catalog.byPlayers));
  const [ranks = [], ranksCpu] = await withCpu(() => runInterleaved(ROUNDS, catalog.byRanks));
  const [suggestions = [], suggestionsCpu] = await withCpu(() => runInterleaved(ROUNDS, catalog.suggestions));
  const [parts = [], partsCpu] = await withCpu(() => runInterleaved(ROUNDS, catalog.parts));
  const [words = [], wordsCpu] = await withCpu(() => runInterleaved(ROUNDS, catalog.words));
  say(
    `${name}, CPU of this process for each search: ${NAMES} ${playersCpu}, ${PAIRS} ${ranksCpu}, ${PREFIX} ${suggestionsCpu}, ${PARTS} ${partsCpu}, ${WORDS} ${wordsCpu}`,
  );
  const besideDriver: Finding = {
    what: `${name}, by time: use case and JSON`,
    measured: formatLatencies(useCaseTimes),
    reference: `the bare driver's rows and JSON ${formatLatencies(peer)}`,
    ratio: median(useCaseTimes) / median(peer),
    bound: DRIVER_BOUND,
  };
  if (name === 'SQLite') {
    return [
      besideDriver,
      limitFinding(NAMES, players),
      limitFinding(PAIRS, ranks),
      limitFinding(PREFIX, suggestions, SUGGESTION_LIMIT_MS),
      limitFinding(PARTS, parts, SUGGESTION_LIMIT_MS),
      limitFinding(WORDS, words, SUGGESTION_LIMIT_MS),
    ];
  }
  // The limit applies to SQLite: the latency of a server depends on other load of the machine.
  say(
    `${name}, ${NAMES}: ${formatLatencies(players)}; ${PAIRS}: ${formatLatencies(ranks)}; ${PREFIX}: ${formatLatencies(suggestions)}`,
  );
  return [besideDriver];
}

/** Times and the CPU per round: on a shared machine the CPU time is more reliable. */
async function withCpu(rounds: () => Promise<number[][]>): Promise<[times: number[] | undefined, cpu: string]> {
  const before = process.cpuUsage();
  const [times] = await rounds();
  const { user, system } = process.cpuUsage(before);
  const asked = ROUNDS + Math.ceil(ROUNDS / 5);
  return [times, `${((user + system) / 1000 / asked).toFixed(2)} ms`];
}

function limitFinding(what: string, times: readonly number[], limitMs = LIMIT_MS): Finding {
  return {
    what: `SQLite, ${what}`,
    measured: formatLatencies(times),
    reference: `${limitMs} ms`,
    ratio: p99(times) / limitMs,
    bound: 1,
  };
}
