import { operations } from '@lobbystats/contracts';
import { eventually } from '@lobbystats/test-kit';
import { docker } from '@lobbystats/test-kit/docker';
import { compose, project } from '../compose/stack.ts';
import { pathTo } from '../standalone/sign-in.ts';
import { expectStatus, usernames } from './requests.ts';

/** Own processes with readiness. */
const SERVICES = ['collector', 'series-api', 'catalog-api', 'user-api', 'reputation-api', 'gateway'];
const READINESS = `for (const name of process.argv.slice(1)) {
  const { status } = await fetch('http://' + name + ':8080/readyz').catch(() => ({ status: 0 }));
  if (status !== 200) console.log(name, status);
}`;
let requested = 0;
/** One route of each service; few responses are cached. */
const routesOf = (username: string): string[] => {
  requested += 1;
  return [
    `${operations.getOnlineSeries.path}?days=${1 + (requested % 30)}`,
    `${operations.listGames.path}?limit=1&offset=${requested}`,
    `${operations.listRecentUnlocks.path}?limit=${1 + (requested % 100)}`,
    `${pathTo(operations.getReputation.path, username)}?feedbackLimit=${1 + (requested % 30)}`,
  ];
};

const UNITS: Readonly<Record<string, number>> = { B: 1 / 1024 ** 2, KiB: 1 / 1024, MiB: 1, GiB: 1024 };
/** Growth that no fault may exceed. */
const MAX_GROWTH_MB = 50;
/** A service may have this much anyway: a collector and its parser with their first slot, nginx after thousands of connections. */
const WORKING_MEMORY_MB: Readonly<Record<string, number>> = { collector: 350, nginx: 100 };

/** Resolves when every service is ready and serves requests. */
export async function expectHealthyServices(): Promise<void> {
  await eventually(
    async () => {
      const node = ['exec', '-T', 'simulator', 'node', '--input-type=module', '-e', READINESS];
      expect(await compose(...node, ...SERVICES)).toBe('');
      const [username = ''] = await usernames(1);
      for (const path of routesOf(username)) await expectStatus(path, 200);
    },
    { timeoutMs: 300_000, everyMs: 1000 },
  );
}

interface Observed {
  readonly service: string;
  readonly startedAt: string;
  readonly memoryMb: number;
}

/** The start and the memory of each container of a service, by its ID. */
export async function observeContainers(): Promise<Map<string, Observed>> {
  const label = `label=com.docker.compose.project=${project}`;
  const format = '{{.ID}} {{.Label "com.docker.compose.service"}}';
  const lines = (await docker(['ps', '--filter', label, '--format', format])).split('\n');
  const containers = lines.map((line) => line.split(' ') as [string, string]);
  const own = containers.filter(([, service]) => [...SERVICES, 'nginx'].includes(service));
  const ids = own.map(([id]) => id);
  const starts = (await docker(['inspect', '-f', '{{.State.StartedAt}}', ...ids])).split('\n');
  const stats = await docker(['stats', '--no-stream', '--format', '{{.ID}} {{.MemUsage}}', ...ids]);
  const memory = new Map(stats.split('\n').map((line) => line.split(' ').slice(0, 2) as [string, string]));
  return new Map(
    own.map(([id, service], index) => {
      const [, amount = '0', unit = 'B'] = /^([\d.]+)([A-Za-z]+)$/.exec(memory.get(id) ?? '') ?? [];
      return [id, { service, startedAt: starts[index] ?? '', memoryMb: Number(amount) * (UNITS[unit] ?? 1) }];
    }),
  );
}

/** Fails when a service, other than those that the fault restarts, has restarted, is gone, or has grown too much. */
export async function expectUnharmed(
  before: ReadonlyMap<string, Observed>,
  restarted: readonly string[],
): Promise<void> {
  await eventually(
    async () => {
      const now = await observeContainers();
      for (const [id, { service, startedAt, memoryMb }] of before) {
        if (restarted.includes(service)) continue;
        const after = now.get(id);
        expect([service, after?.startedAt]).toEqual([service, startedAt]);
        const limit = Math.max(memoryMb, WORKING_MEMORY_MB[service] ?? 0) + MAX_GROWTH_MB;
        if (after !== undefined && after.memoryMb > limit)
          throw new Error(`${service} has ${after.memoryMb.toFixed(0)} MB, had ${memoryMb.toFixed(0)} MB`);
      }
    },
    { timeoutMs: 120_000, everyMs: 1000 },
  );
}
