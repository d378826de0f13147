import type { Benchmark, Finding } from './benchmark.ts';
import { captureAnswer, headerOf, startBareServer, type BareServer, type PrebuiltAnswer } from './peers/bare-server.ts';
import { compareServers, type Peer } from './peers/compare-servers.ts';
import { CACHE_BYTES, startGateway, type BenchGateway } from './peers/gateway.ts';
import { requestOf, startLoad } from './peers/load.ts';
import { cacheOf, startNginx, type Nginx } from './peers/nginx.ts';
import { historyPath, ownedAnswers } from './peers/owned-answers.ts';
import { canMeasureProcesses, type OwnProcess } from './peers/own-process.ts';
import { startOwner } from './peers/owner.ts';

const ROUNDS = 7;
const SECONDS = 1;
const CONNECTIONS = 64;
const BYTES = { '1 KB': 1024, '20 KB': 20 * 1024 } as const;
/** The share of the peer's speed that is promised. */
const OF_BARE = 0.9;
const OF_NGINX = { '1 KB': 0.65, '20 KB': 0.5 } as const;

/** Answers out of the gateway's cache, beside node:http with the same bytes ready and beside nginx with the same in its cache. */
export const gatewayCache: Benchmark = {
  name: 'gateway-cache',
  about: 'a cached GET of 1 KB and 20 KB, identity, gzip and 304, beside bare node:http and nginx proxy_cache',
  promise: 'a cache hit of npm start is nearly as fast as bare node:http',
  run: async (say) => {
    if (!canMeasureProcesses(say)) return [];
    const stack = new AsyncDisposableStack();
    try {
      const owner = await startOwner(ownedAnswers(Object.values(BYTES)), stack);
      const gateway = await startGateway({ ownersUrl: owner.url, cacheBytes: CACHE_BYTES }, stack);
      const bare = await startBareServer(stack);
      const nginx = await startNginx('server', cacheOf(bare.port), stack, say);
      const load = startLoad(stack);
      const findings: Finding[] = [];
      for (const [index, size] of (['1 KB', '20 KB'] as const).entries()) {
        for (const request of await requestsFor(gateway, historyPath(index))) {
          const work = { ...request, what: `${size}, ${request.what}` };
          findings.push(...(await measure({ gateway, bare, nginx, load, say }, work, OF_NGINX[size])));
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
  /** What the gateway answers it with, out of its cache. */
  answer: PrebuiltAnswer;
}

interface Place {
  gateway: BenchGateway;
  bare: BareServer;
  nginx: Nginx | undefined;
  load: OwnProcess;
  say: (line: string) => void;
}

/** The same resource plain, compressed and known already. */
async function requestsFor(gateway: BenchGateway, path: string): Promise<Work[]> {
  const kept = async (what: string, headers: Record<string, string>) => {
    await captureAnswer(gateway.port, path, headers);
    return { what, path, headers, answer: await captureAnswer(gateway.port, path, headers) };
  };
  const identity = await kept('identity', {});
  const gzip = await kept('gzip', { 'Accept-Encoding': 'gzip' });
  const known = await kept('304', { 'If-None-Match': headerOf(identity.answer, 'etag') ?? '' });
  if (known.answer.status !== 304) throw new Error(`the gateway answered a known ETag with ${known.answer.status}`);
  return [identity, gzip, known];
}

async function measure(place: Place, work: Work, ofNginx: number): Promise<Finding[]> {
  const { gateway, bare, nginx, load, say } = place;
  const { what, path, headers, answer } = work;
  if (nginx !== undefined) await fillNginx(bare, nginx, work);
  await bare.answerWith(answer);
  const peers: Peer[] = [{ name: 'node:http', server: bare, share: OF_BARE }];
  if (nginx !== undefined) peers.push({ name: 'nginx proxy_cache', server: nginx, share: ofNginx });
  const request = requestOf(path, headers);
  const each = { connections: CONNECTIONS, seconds: SECONDS, requests: [request], status: answer.status };
  return compareServers({ what, ours: gateway, peers, load, each, rounds: ROUNDS, say });
}

/** Lets nginx ask for the whole answer once, so that it has what it answers from then on. */
async function fillNginx(bare: BareServer, nginx: Nginx, { path, headers, answer }: Work): Promise<void> {
  if (answer.status === 200) await bare.answerWith(answer);
  await captureAnswer(nginx.port, path, headers);
  const kept = await captureAnswer(nginx.port, path, headers);
  if (headerOf(kept, 'x-cache') !== 'HIT' || kept.status !== answer.status || kept.body !== answer.body) {
    throw new Error(`nginx does not answer ${path} from its cache`);
  }
}
