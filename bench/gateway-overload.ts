import { median, p99, type Benchmark, type Finding } from './benchmark.ts';
import { startGateway, type BenchGateway } from './peers/gateway.ts';
import { requestOf, sendLoad, startLoad, type Load } from './peers/load.ts';
import { historyPath, ownedAnswers } from './peers/owned-answers.ts';
import { canMeasureProcesses, type OwnProcess } from './peers/own-process.ts';
import { startOwner } from './peers/owner.ts';

/** An answer takes its owner as long as a hard one does: with the connections that it is given it answers a thousand a second. */
const OWNER_MS = 32;
const BYTES = 1024;
const TIMES = 10;
const ROUNDS = 3;
const SECONDS = 4;
/** Enough to be answered as fast as can be; and so many that there is always one for what is due. */
const PEAK_CONNECTIONS = 64;
const CONNECTIONS = 1500;
/** None is known by its URL: the way is the longest that there is. */
const URLS = 10_000;
const GOODPUT_SHARE = 0.8;
const REFUSED_WITHIN_MS = 50;

/** What the gateway still does when ten times as much is asked of it as can be done behind it. */
export const gatewayOverload: Benchmark = {
  name: 'gateway-overload',
  about: `${TIMES} times as many requests as their owner can answer`,
  promise: 'ten times too many requests leave 80 % of the peak, and the rest is refused at once',
  run: async (say) => {
    if (!canMeasureProcesses(say)) return [];
    const stack = new AsyncDisposableStack();
    try {
      const owner = await startOwner(ownedAnswers([BYTES]), stack, OWNER_MS);
      const gateway = await startGateway({ ownersUrl: owner.url, cacheBytes: 0 }, stack);
      const load = startLoad(stack);
      const rounds: Round[] = [];
      // The first round warms all of it up.
      for (let number = 0; number <= ROUNDS; number += 1) {
        const round = await overload(gateway, load);
        if (number === 0) continue;
        rounds.push(round);
        say(`round ${number}: ${wordsOn(round)}`);
      }
      return findingsOf(rounds);
    } finally {
      await stack.disposeAsync();
    }
  },
};

interface Round {
  /** Answers a second, at most and under overload. */
  peak: number;
  goodput: number;
  offered: number;
  /** The 99th percentile of the time to a refusal. */
  refusedMs: number;
}

async function overload({ port }: BenchGateway, load: OwnProcess): Promise<Round> {
  const each: Omit<Load, 'connections'> = { port, seconds: SECONDS, status: 200, refusal: 503, requests };
  const most = await sendLoad(load, { ...each, connections: PEAK_CONNECTIONS });
  const peak = most.answers / most.seconds;
  const perSecond = Math.round(peak * TIMES);
  const much = await sendLoad(load, { ...each, connections: CONNECTIONS, perSecond });
  return {
    peak,
    goodput: much.answers / much.seconds,
    offered: much.latenciesMs.length / much.seconds,
    refusedMs: p99(much.latenciesMs.filter((_, index) => much.refused[index])),
  };
}

const requests = Array.from({ length: URLS }, (_, index) => requestOf(`${historyPath(0)}?unknown=${index}`));

function findingsOf(rounds: readonly Round[]): Finding[] {
  const [peak, goodput, refusedMs] = [
    median(rounds.map((round) => round.peak)),
    median(rounds.map((round) => round.goodput)),
    median(rounds.map((round) => round.refusedMs)),
  ];
  return [
    {
      what: `answers while ${TIMES} times as many are asked for`,
      measured: `${goodput.toFixed(0)}/s`,
      against: `${peak.toFixed(0)}/s at most`,
      ratio: median(rounds.map((round) => round.peak / round.goodput)),
      bound: Number((1 / GOODPUT_SHARE).toFixed(2)),
    },
    {
      what: 'the time to a refusal',
      measured: `99 of 100 within ${refusedMs.toFixed(1)} ms`,
      against: `${REFUSED_WITHIN_MS} ms`,
      ratio: refusedMs / REFUSED_WITHIN_MS,
      bound: 1,
    },
  ];
}

function wordsOn({ peak, goodput, offered, refusedMs }: Round): string {
  const rates = `${goodput.toFixed(0)} of ${offered.toFixed(0)}/s answered, ${peak.toFixed(0)}/s at most`;
  return `${rates}, 99 of 100 refused within ${refusedMs.toFixed(1)} ms`;
}
