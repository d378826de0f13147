import type { Benchmark, Finding } from './benchmark.ts';
import {
  captureResponse,
  headerOf,
  startBareServer,
  type BareServer,
  type PrebuiltResponse,
} from './peers/bare-server.ts';
import { compareServers } from './peers/compare-servers.ts';
import { CACHE_BYTES, startGateway, type BenchGateway } from './peers/gateway.ts';
import { requestOf, startLoad } from './peers/load.ts';
import { historyPath, upstreamResponses } from './peers/upstream-responses.ts';
import { canMeasureProcesses, type BenchProcess } from './peers/bench-process.ts';
import { startUpstream } from './peers/upstream.ts';

const ROUNDS = 7;
const SECONDS = 1;
const CONNECTIONS = 64;
const BYTES = { '1 KB': 1024, '20 KB': 20 * 1024 } as const;
/** Promised share of the peer's speed. */
const BARE_SHARE = 0.9;

/** Cache hits of the gateway beside node:http with prebuilt responses. */
export const gatewayCache: Benchmark = {
  name: 'gateway-cache',
  description: 'a cached GET of 1 KB and 20 KB, identity, gzip and 304, beside bare node:http',
  promise: 'a cache hit of npm start is nearly as fast as bare node:http',
  run: async (say) => {
    if (!canMeasureProcesses(say)) return [];
    const stack = new AsyncDisposableStack();
    try {
      const upstream = await startUpstream(upstreamResponses(Object.values(BYTES)), stack);
      const gateway = await startGateway({ upstreamUrl: upstream.url, cacheBytes: CACHE_BYTES }, stack);
      const bare = await startBareServer(stack);
      const load = startLoad(stack);
      const findings: Finding[] = [];
      for (const [index, size] of Object.keys(BYTES).entries()) {
        for (const request of await requestsFor(gateway, historyPath(index))) {
          const work = { ...request, what: `${size}, ${request.what}` };
          findings.push(await measure({ gateway, bare, load, say }, work));
        }
      }
      return findings;
    } finally {
      await stack.disposeAsync();
    }
  },
};

interface Work {
  what: string;
  path: string;
  headers: Record<string, string>;
  /** The cached response of the gateway. */
  answer: PrebuiltResponse;
}

interface BenchSetup {
  gateway: BenchGateway;
  bare: BareServer;
  load: BenchProcess;
  say: (line: string) => void;
}

/** The same resource as identity, gzip and 304. */
async function requestsFor(gateway: BenchGateway, path: string): Promise<Work[]> {
  const captureCached = async (what: string, headers: Record<string, string>) => {
    await captureResponse(gateway.port, path, headers);
    return { what, path, headers, answer: await captureResponse(gateway.port, path, headers) };
  };
  const identity = await captureCached('identity', {});
  const gzip = await captureCached('gzip', { 'Accept-Encoding': 'gzip' });
  const known = await captureCached('304', { 'If-None-Match': headerOf(identity.answer, 'etag') ?? '' });
  if (known.answer.status !== 304) throw new Error(`the gateway answered a known ETag with ${known.answer.status}`);
  return [identity, gzip, known];
}

async function measure({ gateway, bare, load, say }: BenchSetup, work: Work): Promise<Finding> {
  const { what, path, headers, answer } = work;
  await bare.setResponse(answer);
  const request = requestOf(path, headers);
  const each = { connections: CONNECTIONS, seconds: SECONDS, requests: [request], status: answer.status };
  const peer = { name: 'node:http', server: bare, share: BARE_SHARE };
  return compareServers({ what, ours: gateway, peer, load, each, rounds: ROUNDS, say });
}
