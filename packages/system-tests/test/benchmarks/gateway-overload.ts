import { median, p99, type Benchmark, type Finding } from './benchmark.ts';
import { startGateway, type BenchGateway } from './peers/gateway.ts';
import { requestOf, sendLoad, startLoad, type Load } from './peers/load.ts';
import { historyPath, upstreamResponses } from './peers/upstream-responses.ts';
import { canMeasureProcesses, type BenchProcess } from './peers/bench-process.ts';
import { startUpstream } from './peers/upstream.ts';

/** Latency of the upstream: its connections allow a thousand responses per second. */
const UPSTREAM_MS = 32;
const BYTES = 1024;
const TIMES = 10;
const ROUNDS = 3;
const SECONDS = 4;
/** Enough to reach the peak; and enough that a connection is always free for the next request. */
const PEAK_CONNECTIONS = 64;
const CONNECTIONS = 1500;
/** No URL is in the route cache, so that each request takes the full path. */
const URLS = 10_000;
const GOODPUT_SHARE = 0.8;
const REJECTED_WITHIN_MS = 50;

/** Goodput of the gateway at ten times the capacity of its upstream. */
export const gatewayOverload: Benchmark = {
  name: 'gateway-overload',
  description: `${TIMES} times as many requests as the upstream can answer`,
  promise: 'ten times too many requests leave 80 % of the peak, and the rest is refused at once',
  run: async (say) => {
    if (!canMeasureProcesses(say)) return [];
    const stack = new AsyncDisposableStack();
    try {
      const upstream = await startUpstream(upstreamResponses([BYTES]), stack, UPSTREAM_MS);
      const gateway = await startGateway({ upstreamUrl: upstream.url, cacheBytes: 0 }, stack);
      const load = startLoad(stack);
      const rounds: Round[] = [];
      // The first round is a warm-up.
      for (let number = 0; number <= ROUNDS; number += 1) {
        const round = await overload(gateway, load);
        if (number === 0) continue;
        rounds.push(round);
        say(`round ${number}: ${formatRound(round)}`);
      }
      return findingsOf(rounds);
    } finally {
      await stack.disposeAsync();
    }
  },
};

interface Round {
  /** Responses per second at the peak and under overload. */
  peak: number;
  goodput: number;
  offered: number;
  /** The 99th percentile of the time to a rejection. */
  rejectedMs: number;
}

async function overload({ port }: BenchGateway, load: BenchProcess): Promise<Round> {
  const each: Omit<Load, 'connections'> = { port, seconds: SECONDS, status: 200, rejectionStatus: 503, requests };
  const most = await sendLoad(load, { ...each, connections: PEAK_CONNECTIONS });
  const peak = most.responses / most.seconds;
  const perSecond = Math.round(peak * TIMES);
  const much = await sendLoad(load, { ...each, connections: CONNECTIONS, perSecond });
  return {
    peak,
    goodput: much.responses / much.seconds,
    offered: much.latenciesMs.length / much.seconds,
    rejectedMs: p99(much.latenciesMs.filter((_, index) => much.rejected[index])),
  };
}

const requests = Array.from({ length: URLS }, (_, index) => requestOf(`${historyPath(0)}?unknown=${index}`));

function findingsOf(rounds: readonly Round[]): Finding[] {
  const [peak, goodput, refusedMs] = [
    median(rounds.map((round) => round.peak)),
    median(rounds.map((round) => round.goodput)),
    median(rounds.map((round) => round.rejectedMs)),
  ];
  return [
    {
      what: `answers while ${TIMES} times as many are asked for`,
      measured: `${goodput.toFixed(0)}/s`,
      reference: `${peak.toFixed(0)}/s at most`,
      ratio: median(rounds.map((round) => round.peak / round.goodput)),
      bound: Number((1 / GOODPUT_SHARE).toFixed(2)),
    },
    {
      what: 'the time to a refusal',
      measured: `99 of 100 within ${refusedMs.toFixed(1)} ms`,
      reference: `${REJECTED_WITHIN_MS} ms`,
      ratio: refusedMs / REJECTED_WITHIN_MS,
      bound: 1,
    },
  ];
}

function formatRound({ peak, goodput, offered, rejectedMs }: Round): string {
  const rates = `${goodput.toFixed(0)} of ${offered.toFixed(0)}/s answered, ${peak.toFixed(0)}/s at most`;
  return `${rates}, 99 of 100 refused within ${rejectedMs.toFixed(1)} ms`;
}
