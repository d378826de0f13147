import { operations, SLOT_SECONDS } from '@lobbystats/contracts';
import { eventually } from '@lobbystats/test-kit';
import { requestOf, sendLoad, startLoad } from '../../../bench/peers/load.ts';
import { canMeasureProcesses, type OwnProcess } from '../../../bench/peers/own-process.ts';
import { quantile } from '../abuse/timing.ts';
import { LeftOut, type LoneDrill } from '../drill.ts';
import { healthyAgain } from '../run-drill.ts';
import { openStandalone, type StandaloneStage } from '../stages/standalone-stage.ts';

const SECONDS = 8;
const TIMES = 10;
const GOODPUT = 0.8;
const REFUSED_WITHIN_MS = 50;
const PEAK_CONNECTIONS = 32;
/** All of them new: a crowd comes. None has nothing to say for a second: it would be hung up on. */
const CONNECTIONS = 2000;
/** One in which an answer costs what it does in a network that is used. */
const WORLD = { titles: 120, boards: 240, entries: 24_000 };
const DAYS = 30;
/** Each another one: nothing that is kept answers it, and nobody shares it while it is made. */
const QUESTIONS = 160_000;

export const overload: LoneDrill = {
  number: 14,
  name: 'ten times as much as it can do',
  on: 'its own',
  run: async () => {
    // What sends so much would take the time of what is to answer.
    if (!canMeasureProcesses(() => undefined)) throw new LeftOut('it needs Linux with `taskset` and two cores');
    const stack = new AsyncDisposableStack();
    try {
      const stage = await openStandalone({ world: WORLD, env: { FILL_DAYS: String(DAYS) } });
      stack.defer(() => stage.close());
      const load = startLoad(stack);
      const history = await overloadWith(await histories(stage), stage, load);
      const measured = [`histories: ${wordsOn(history)}`];
      const isKept = history.goodput >= GOODPUT * history.peak && history.halfMs <= REFUSED_WITHIN_MS;
      if (!isKept) throw new Error(measured[0]);
      // To refuse one costs 30 to 45 µs, most of it the system's: ten times a thousandth of a second is no longer to be refused in one process.
      const search = await overloadWith(searches, stage, load);
      if (search.halfMs > REFUSED_WITHIN_MS) throw new Error(`searches: ${wordsOn(search)}`);
      return [...measured, `searches, whose share is not judged: ${wordsOn(search)}`, await healthyAgain(stage)];
    } finally {
      await stack.disposeAsync();
    }
  },
};

interface Overload {
  /** Answers a second, at most and under overload. */
  readonly peak: number;
  readonly goodput: number;
  readonly perSecond: number;
  readonly connections: number;
  readonly refused: number;
  readonly sent: number;
  /** Within which half, and nearly all, of the refusals came. */
  readonly halfMs: number;
  readonly nearlyAllMs: number;
  /** From the last request to the last answer. */
  readonly lastAfterSeconds: number;
}

/** Finds out how much is answered at most, and what becomes of ten times that. */
async function overloadWith(requests: readonly string[], stage: StandaloneStage, load: OwnProcess): Promise<Overload> {
  const each = { port: Number(new URL(stage.url).port), seconds: SECONDS, status: 200 };
  // What is answered here is kept: the crowd asks for other things.
  const half = requests.length / 2;
  const most = await sendLoad(load, { ...each, connections: PEAK_CONNECTIONS, requests: requests.slice(0, half) });
  const peak = most.answers / most.seconds;
  const perSecond = Math.round(peak * TIMES);
  const connections = Math.min(CONNECTIONS, perSecond);
  const others = requests.slice(half);
  if (perSecond * SECONDS > others.length) throw new Error(`${perSecond} a second are more than there are questions`);
  const much = await sendLoad(load, { ...each, connections, refusal: 503, perSecond, requests: others });
  const refusals = much.latenciesMs.filter((_, index) => much.refused[index]);
  return {
    ...{ peak, perSecond, connections, refused: refusals.length, sent: much.latenciesMs.length },
    goodput: much.answers / much.seconds,
    halfMs: quantile(refusals, 0.5),
    nearlyAllMs: quantile(refusals, 0.99),
    lastAfterSeconds: much.seconds - SECONDS,
  };
}

function wordsOn(seen: Overload): string {
  const { peak, goodput, perSecond, connections, refused, sent, halfMs, nearlyAllMs, lastAfterSeconds } = seen;
  return `peak ${peak.toFixed(0)} a second; offered ${perSecond} a second over ${connections} connections: ${goodput.toFixed(0)} a second answered (${((100 * goodput) / peak).toFixed(0)} %), ${refused} of ${sent} refused, half of them after ${halfMs.toFixed(0)} ms, p99 ${nearlyAllMs.toFixed(0)} ms; the last answer came ${lastAfterSeconds.toFixed(1)} s after the last request`;
}

/** The past of each title, up to a month of it, once that is there. */
async function histories(stage: StandaloneStage): Promise<string[]> {
  const { getOnlineSeries, getTitleOnlineHistory, listGames } = operations;
  await eventually(
    async () => {
      const { body } = await stage.ask(`${getOnlineSeries.path}?days=${DAYS}`);
      const slots = (body as unknown[]).length;
      if (slots < (DAYS - 1) * (86_400 / SLOT_SECONDS)) throw new Error(`only ${slots} slots are there`);
    },
    { timeoutMs: 120_000, everyMs: 1000 },
  );
  const { games } = (await stage.ask(listGames.path)).body as { games: { titleId: string }[] };
  return games.flatMap(({ titleId }) =>
    Array.from({ length: DAYS * 24 }, (_, hour) =>
      requestOf(`${getTitleOnlineHistory.path.replace(':titleId', titleId)}?hours=${hour + 1}`),
    ),
  );
}

/** To within 1 ms of each other, so that each is another one. */
const searches = Array.from({ length: QUESTIONS }, (_, index) => {
  const time = `${Math.floor(index / 60_000)}:${String(Math.floor(index / 1000) % 60).padStart(2, '0')}.${String(index % 1000).padStart(3, '0')}`;
  return requestOf(`${operations.searchByTime.path}?time=${time}&tolerance=60000&limit=500`);
});
