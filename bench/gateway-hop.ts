import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Benchmark, Finding } from './benchmark.ts';
import { captureAnswer } from './peers/bare-server.ts';
import { compareServers } from './peers/compare-servers.ts';
import { startGateway } from './peers/gateway.ts';
import { requestOf, startLoad } from './peers/load.ts';
import { filesIn, passTo, startNginx } from './peers/nginx.ts';
import { historyPath, ownedAnswers, type OwnedAnswers } from './peers/owned-answers.ts';
import { canMeasureProcesses } from './peers/own-process.ts';

const ROUNDS = 7;
const SECONDS = 1;
const CONNECTIONS = 64;
const WORKS = [
  { size: '1 KB', bytes: 1024, share: 0.4 },
  { size: '20 KB', bytes: 20 * 1024, share: 0.3 },
] as const;

/** What passes through the gateway while nothing is kept, beside what passes through nginx, both to the fastest owner there is. */
export const gatewayHop: Benchmark = {
  name: 'gateway-hop',
  about: 'a GET of 1 KB and 20 KB passed through to its owner, beside nginx proxy_pass',
  run: async (say) => {
    if (!canMeasureProcesses(say)) return [];
    const stack = new AsyncDisposableStack();
    try {
      const root = await filesOf(ownedAnswers(WORKS.map(({ bytes }) => bytes)), stack);
      const owner = await startNginx('load', filesIn(root), stack, say);
      if (owner === undefined) return [];
      const nginx = await startNginx('server', passTo(owner.port), stack, say);
      if (nginx === undefined) return [];
      const ownersUrl = `http://127.0.0.1:${owner.port}`;
      const gateway = await startGateway({ ownersUrl, cacheBytes: 0 }, stack);
      const load = startLoad(stack);
      const findings: Finding[] = [];
      for (const [index, { size, share }] of WORKS.entries()) {
        const path = historyPath(index);
        await expectSameBytes(path, gateway.port, owner.port);
        const each = { connections: CONNECTIONS, seconds: SECONDS, requests: [requestOf(path)], status: 200 };
        const peers = [{ name: 'nginx proxy_pass', server: nginx, share }];
        findings.push(...(await compareServers({ what: size, ours: gateway, peers, load, each, rounds: ROUNDS, say })));
      }
      return findings;
    } finally {
      await stack.disposeAsync();
    }
  },
};

async function filesOf(answers: OwnedAnswers, stack: AsyncDisposableStack): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'lobbystats-owned-'));
  stack.defer(() => rm(root, { recursive: true, force: true }));
  for (const [path, text] of answers) {
    const file = join(root, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return root;
}

async function expectSameBytes(path: string, gatewayPort: number, ownerPort: number): Promise<void> {
  const [ours, owners] = await Promise.all([gatewayPort, ownerPort].map((port) => captureAnswer(port, path, {})));
  if (ours?.status !== 200 || ours.body !== owners?.body) throw new Error(`the gateway does not pass ${path} through`);
}
