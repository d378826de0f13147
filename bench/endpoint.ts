import { engineFault } from '../test/stack/docker.ts';
import { median, p99, formatLatencies, type Benchmark, type Finding } from './benchmark.ts';
import { captureResponse, headerOf } from './peers/bare-server.ts';
import { startEndpoints, type Endpoints } from './peers/endpoints.ts';
import { requestOf, sendLoad, startLoad, type Load } from './peers/load.ts';
import type { BenchProcess } from './peers/bench-process.ts';

const ROUNDS = 5;
/** A gateway that has just started has its hot code compiled after about 30,000 misses. */
const WARM_UP_ROUNDS = 4;
const SECONDS = 2;
const CONNECTIONS = 64;
const PACED = { perSecond: 2000, seconds: 20 };
const BARE = 'nginx in front of node:http';
/** Promised shares of a peer's requests per second. */
const PROMISED = { hitsOfBare: 0.85, hitsOfCache: 0.4, missesOfBare: 0.3, mixOfBare: 0.5, twoGatewaysOfOne: 0.95 };
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
      const bench = { endpoints, load: startLoad(stack, 'any'), say };
      const findings: Finding[] = [];
      for (const hit of await hitsOf(endpoints)) findings.push(...(await compareHits(bench, hit)));
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
  load: BenchProcess;
  say: (line: string) => void;
}

/** Requests that hit the cache. A conditional request gets a 200 after each new slot. */
type Hit = Pick<Load, 'requests' | 'status' | 'alsoAccepted' | 'rejectionStatus'> & { what: string };

async function hitsOf({ ports, paths }: Endpoints): Promise<Hit[]> {
  const etag = headerOf(await captureResponse(ports.stack, paths['20 KB'], {}), 'etag') ?? '';
  return [
    { what: '1 KB', requests: [requestOf(paths['1 KB'])], status: 200 },
    { what: '20 KB', requests: [requestOf(paths['20 KB'])], status: 200 },
    { what: '20 KB, gzip', requests: [requestOf(paths['20 KB'], { 'Accept-Encoding': 'gzip' })], status: 200 },
    { what: '304', requests: [requestOf(paths['20 KB'], { 'If-None-Match': etag })], status: 304, alsoAccepted: 200 },
  ];
}

async function compareHits(bench: Bench, { what, ...hit }: Hit): Promise<Finding[]> {
  const { stack, bare, cache } = bench.endpoints.ports;
  const rates = await ratesOf(bench, what, { stack, bare, cache }, hit);
  return [
    share(`${what}, a hit`, rates.stack, BARE, rates.bare, PROMISED.hitsOfBare),
    share(`${what}, a hit`, rates.stack, 'nginx proxy_cache', rates.cache, PROMISED.hitsOfCache),
  ];
}

/** Uses a bare server as upstream: otherwise this would measure the store. */
async function compareMisses(bench: Bench): Promise<Finding> {
  const { ports, missPaths } = bench.endpoints;
  const { bareUpstream, bare } = ports;
  const requests = missPaths.map((path) => requestOf(path));
  const rates = await ratesOf(bench, 'a miss', { bareUpstream, bare }, { requests, status: 200, rejectionStatus: 503 });
  return share('1 KB, a miss', rates.bareUpstream, BARE, rates.bare, PROMISED.missesOfBare);
}

async function compareMix(bench: Bench): Promise<Finding> {
  const { bareUpstream, bare } = bench.endpoints.ports;
  const mix = { requests: await mixOf(bench.endpoints), status: 200, alsoAnswered: 304, refusal: 503 };
  const rates = await ratesOf(bench, 'the mix', { bareUpstream, bare }, mix);
  return share('the mix at saturation', rates.bareUpstream, BARE, rates.bare, PROMISED.mixOfBare);
}

async function comparePacedMix({ endpoints, load }: Bench): Promise<Finding> {
  const { ports } = endpoints;
  const requests = await mixOf(endpoints);
  const latencies = [];
  for (const port of [ports.bareUpstream, ports.bare]) {
    const mix = { port, connections: CONNECTIONS, requests, status: 200, alsoAnswered: 304, ...PACED };
    await sendLoad(load, { ...mix, seconds: 2 });
    latencies.push((await sendLoad(load, mix)).latenciesMs);
  }
  const [endpointLatencies = [], bare = []] = latencies;
  return {
    what: `the mix at ${PACED.perSecond} requests a second`,
    measured: formatLatencies(endpointLatencies),
    reference: `${BARE} ${formatLatencies(bare)}`,
    ratio: p99(endpointLatencies) / p99(bare),
    bound: PACED_BOUND,
  };
}

/** 16 hits, 3 conditional requests and one miss of 20 requests. */
async function mixOf(endpoints: Endpoints): Promise<string[]> {
  const hits = await hitsOf(endpoints);
  const fresh = hits.filter(({ status }) => status === 200).flatMap(({ requests }) => requests);
  const known = hits.find(({ status }) => status === 304)?.requests[0] ?? '';
  return endpoints.missPaths.flatMap((path) => [
    requestOf(path),
    ...Array.from({ length: 3 }, () => known),
    ...Array.from({ length: 16 }, (_, index) => fresh[index % fresh.length] ?? ''),
  ]);
}

async function compareGateways(bench: Bench): Promise<Finding> {
  const { endpoints } = bench;
  const { stack } = endpoints.ports;
  const hit = { requests: [requestOf(endpoints.paths['20 KB'])], status: 200 };
  const one = await ratesOf(bench, 'one gateway', { stack }, hit);
  await endpoints.scaleGateways(2);
  const two = await ratesOf(bench, 'two gateways', { stack }, hit);
  return share('two gateways', two.stack, 'one gateway', one.stack, PROMISED.twoGatewaysOfOne);
}

/** Median requests per second of rounds that alternate between ports, so that other load affects all of them. */
async function ratesOf<Name extends string>(
  { load, say }: Bench,
  what: string,
  ports: Readonly<Record<Name, number>>,
  each: Pick<Load, 'requests' | 'status' | 'alsoAccepted' | 'rejectionStatus'>,
): Promise<Record<Name, number>> {
  const names = Object.keys(ports) as Name[];
  const rates = new Map(names.map((name) => [name, [] as number[]]));
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
    for (const name of names) {
      const { responses, seconds } = await sendLoad(load, {
        ...each,
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
