import { engineFault } from '@lobbystats/test-kit/docker';
import { operations } from '@lobbystats/contracts';
import { median, p99, formatLatencies, type Benchmark, type Finding } from './benchmark.ts';
import { captureResponse, headerOf } from './peers/capture-response.ts';
import { startEndpoints, type Endpoints } from './peers/endpoints.ts';
import { requestOf, startLoad, type Load, type SendLoad } from './peers/load.ts';

const ROUNDS = 5;
/** A gateway that has just started has its hot code compiled after about 30,000 misses. */
const WARM_UP_ROUNDS = 4;
const SECONDS = 2;
const CONNECTIONS = 64;
/** Short rounds that alternate, so that other load affects both sides. */
const PACED = { perSecond: 2000, seconds: 2 };
const PACED_ROUNDS = 15;
const BARE = 'nginx in front of node:http';
/** Promised shares of a peer's requests per second. */
const PROMISED = {
  hitsOfBare: 0.85,
  hitsOfCache: 0.85,
  missesOfBare: 0.3,
  mixOfBare: 0.5,
  twoGatewaysOfOne: 0.85,
  pageOfAnswer: 0.8,
};
/** The 99th percentile of the paced mix is at most this multiple of the peer's. */
const PACED_BOUND = 2;

/** The shipped stack, measured through its published port. */
export const endpoint: Benchmark = {
  name: 'endpoint',
  description:
    'the published port of the stack, beside the same nginx in front of bare node:http and beside nginx proxy_cache',
  promise: 'the shipped stack is nearly as fast as nginx in front of an empty server',
  run: async (say) => {
    const fault = await engineFault();
    if (fault !== undefined) {
      say(`skipped: it needs a Docker engine with Compose: ${fault}`);
      return [];
    }
    const stack = new AsyncDisposableStack();
    try {
      const endpoints = await startEndpoints(stack, say);
      const bench = { endpoints, load: startLoad(stack), say };
      const findings: Finding[] = [];
      for (const [what, hit] of Object.entries(hitsOf(endpoints)))
        findings.push(...(await compareHits(bench, what, hit)));
      findings.push(await comparePage(bench));
      findings.push(await compareMisses(bench), await compareMix(bench), await comparePacedMix(bench));
      findings.push(await compareGateways(bench));
      return findings;
    } finally {
      await stack.disposeAsync();
    }
  },
};

interface Bench {
  endpoints: Endpoints;
  load: SendLoad;
  say: (line: string) => void;
}

/** Requests to one port, created before each round: entity tags change with each slot. */
type RequestsOf = (port: number, target: string) => Promise<string[]>;

type Requests = Pick<Load, 'status' | 'alsoAccepted' | 'rejectionStatus'> & { requestsOf: RequestsOf };

/** Requests that hit the cache. A conditional request gets a 200 after a slot. */
function hitsOf({ paths }: Endpoints): Record<'1 KB' | '20 KB' | '20 KB, gzip' | '304', Requests> {
  const hit = (path: string, headers = {}): Requests => ({
    requestsOf: () => Promise.resolve([requestOf(path, headers)]),
    status: 200,
  });
  return {
    '1 KB': hit(paths['1 KB']),
    '20 KB': hit(paths['20 KB']),
    '20 KB, gzip': hit(paths['20 KB'], { 'Accept-Encoding': 'gzip' }),
    '304': {
      requestsOf: async (port) => {
        const etag = headerOf(await captureResponse(port, paths['20 KB'], {}), 'etag') ?? '';
        return [requestOf(paths['20 KB'], { 'If-None-Match': etag })];
      },
      status: 304,
      alsoAccepted: 200,
    },
  };
}

async function compareHits(bench: Bench, what: string, hit: Requests): Promise<Finding[]> {
  const { stack, bare, cache } = bench.endpoints.ports;
  const rates = await ratesOf(bench, what, { stack, bare, cache }, hit);
  return [
    share(`${what}, a hit`, rates.stack, BARE, rates.bare, PROMISED.hitsOfBare),
    share(`${what}, a hit`, rates.stack, 'nginx proxy_cache', rates.cache, PROMISED.hitsOfCache),
  ];
}

/**
 * The home page beside a JSON response of about the same size, both without compression and from the gateway's cache: nginx repeats no
 * page that may change at any time, and no response to a request with a cookie.
 */
async function comparePage(bench: Bench): Promise<Finding> {
  const { stack } = bench.endpoints.ports;
  const page = await captureResponse(stack, '/', {});
  const answer = await answerOfSize(stack, page.body.length);
  const paths: Readonly<Record<string, string>> = { page: '/', answer };
  const hit: Requests = {
    requestsOf: (_port, target) => Promise.resolve([requestOf(paths[target] ?? '', { Cookie: 'a=b' })]),
    status: 200,
  };
  const rates = await ratesOf(bench, `the home page and ${answer}`, { page: stack, answer: stack }, hit);
  return share('the home page, a hit', rates.page, 'a JSON response of its size', rates.answer, PROMISED.pageOfAnswer);
}

/** A list with as many games as make about so many bytes, if there are that many. */
async function answerOfSize(port: number, bytes: number): Promise<string> {
  const path = (limit: number) => `${operations.listGames.path}?limit=${limit}`;
  const { length } = (await captureResponse(port, path(100), {})).body;
  return path(Math.min(1000, Math.max(1, Math.round((100 * bytes) / length))));
}

/** Uses a bare server as upstream: otherwise this would measure the store. */
async function compareMisses(bench: Bench): Promise<Finding> {
  const { ports, missPaths } = bench.endpoints;
  const { bareUpstream, bare } = ports;
  const requests = missPaths.map((path) => requestOf(path));
  const miss = { requestsOf: () => Promise.resolve(requests), status: 200, rejectionStatus: 503 };
  const rates = await ratesOf(bench, 'a miss', { bareUpstream, bare }, miss);
  return share('1 KB, a miss', rates.bareUpstream, BARE, rates.bare, PROMISED.missesOfBare);
}

async function compareMix(bench: Bench): Promise<Finding> {
  const { bareUpstream, bare } = bench.endpoints.ports;
  const rates = await ratesOf(bench, 'the mix', { bareUpstream, bare }, mixOf(bench.endpoints));
  return share('the mix at saturation', rates.bareUpstream, BARE, rates.bare, PROMISED.mixOfBare);
}

async function comparePacedMix({ endpoints, load, say }: Bench): Promise<Finding> {
  const { requestsOf, ...mix } = mixOf(endpoints);
  const { bareUpstream, bare } = endpoints.ports;
  const rounds: number[][][] = [];
  for (let round = 0; round < PACED_ROUNDS; round += 1) {
    const latencies: number[][] = [];
    for (const port of [bareUpstream, bare]) {
      const paced = { ...mix, ...PACED, port, connections: CONNECTIONS, requests: await requestsOf(port, 'mix') };
      latencies.push((await load(paced)).latenciesMs);
    }
    rounds.push(latencies);
  }
  const [endpointP99 = NaN, bareP99 = NaN] = [0, 1].map((at) => median(rounds.map((round) => p99(round[at] ?? []))));
  const all = (at: number) => formatLatencies(rounds.flatMap((round) => round[at] ?? []));
  say(`the mix at ${PACED.perSecond} requests a second: ${all(0)}, bare ${all(1)}`);
  return {
    what: `the mix at ${PACED.perSecond} requests a second, p99`,
    measured: `${endpointP99.toFixed(1)} ms`,
    reference: `${BARE} ${bareP99.toFixed(1)} ms (medians of ${PACED_ROUNDS} rounds)`,
    ratio: endpointP99 / bareP99,
    bound: PACED_BOUND,
  };
}

/** 16 hits, 3 conditional requests and one miss of 20 requests. */
function mixOf(endpoints: Endpoints): Requests {
  const { '304': conditional, ...hits } = hitsOf(endpoints);
  return {
    requestsOf: async (port) => {
      const fresh = (await Promise.all(Object.values(hits).map(({ requestsOf }) => requestsOf(port, 'mix')))).flat();
      const [known = ''] = await conditional.requestsOf(port, 'mix');
      return endpoints.missPaths.flatMap((path) => [
        requestOf(path),
        ...Array.from({ length: 3 }, () => known),
        ...Array.from({ length: 16 }, (_, index) => fresh[index % fresh.length] ?? ''),
      ]);
    },
    status: 200,
    alsoAccepted: 304,
    rejectionStatus: 503,
  };
}

/** Compares shares of the bare server's rate, so that other load affects both sides. */
async function compareGateways(bench: Bench): Promise<Finding> {
  const { endpoints } = bench;
  const { stack, bare } = endpoints.ports;
  const hit = hitsOf(endpoints)['20 KB'];
  const one = await ratesOf(bench, 'one gateway', { stack, bare }, hit);
  await endpoints.scaleGateways(2);
  const two = await ratesOf(bench, 'two gateways', { stack, bare }, hit);
  const expected = (one.stack / one.bare) * two.bare;
  return share('two gateways', two.stack, 'one gateway', expected, PROMISED.twoGatewaysOfOne);
}

/** Median requests per second of rounds that alternate between ports, so that other load affects all of them. */
async function ratesOf<Name extends string>(
  { load, say }: Bench,
  what: string,
  ports: Readonly<Record<Name, number>>,
  { requestsOf, ...expected }: Requests,
): Promise<Record<Name, number>> {
  const names = Object.keys(ports) as Name[];
  const rates = new Map(names.map((name) => [name, [] as number[]]));
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
    for (const name of names) {
      const { responses, seconds } = await load({
        ...expected,
        requests: await requestsOf(ports[name], name),
        port: ports[name],
        connections: CONNECTIONS,
        seconds: SECONDS,
      });
      if (round >= 0) rates.get(name)?.push(responses / seconds);
    }
  }
  const medians = names.map((name) => [name, median(rates.get(name) ?? [])] as const);
  say(`${what}: ${medians.map(([name, rate]) => `${name} ${Math.round(rate)}/s`).join(', ')}`);
  return Object.fromEntries(medians) as Record<Name, number>;
}

function share(what: string, rate: number, peer: string, peerRate: number, promised: number): Finding {
  return {
    what,
    measured: `${Math.round(rate)}/s`,
    reference: `${peer} ${Math.round(peerRate)}/s (${(rate / peerRate).toFixed(2)} of it)`,
    ratio: peerRate / rate,
    bound: Number((1 / promised).toFixed(2)),
  };
}
