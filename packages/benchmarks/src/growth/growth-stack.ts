import { setTimeout as wait } from 'node:timers/promises';
import { messageOf } from '@lobbystats/errors';
import { ComposeProject } from '@lobbystats/test-kit/compose-project';
import { freePorts } from '@lobbystats/test-kit/free-ports';
import { containerFigures, type ContainerFigures } from './container-figures.ts';
import type { PartContext } from './part.ts';
import type { Scale } from './scale.ts';

/** Days of history; leaderboards and play time get one. */
const DAYS = process.env['BENCH_GROWTH_DAYS'] ?? '30';
const SETTINGS = {
  BACKFILL_DAYS: DAYS,
  BACKFILL_REGISTERED_DAYS: DAYS,
  BACKFILL_LEADERBOARD_DAYS: '1',
  BACKFILL_PLAY_TIME_DAYS: '1',
  // All clients of the benchmark have one address.
  CONNECTIONS_PER_ADDRESS: '20000',
  SIMULATOR_MEMORY: '4g',
};
const POLL_MS = 5000;
const BACKFILLED_WITHIN_MS = 5_400_000;
const POLLS_PER_LINE = 12;
const DISKS = { influxdb: '/var/lib/influxdb2', mongodb: '/data/db', rabbitmq: '/var/lib/rabbitmq' } as const;

/** Docker's proxy of a published port takes six file descriptors for each connection. */
const STREAMS_PER_PORT = 1500;
/** Processor time of all services and servers in a period, as a share of one processor. */
const SETTLED = { share: 0.8, seconds: 20, periods: 2, withinSeconds: 1500 };

export interface GrowthStack {
  /** Published ports of nginx. */
  readonly ports: readonly number[];
  /** By service. */
  readonly figures: ReadonlyMap<string, ContainerFigures>;
  /** Resolves, when the backfill is done and stored, to the highest memory of each service during it, in MB. */
  untilBackfilled(): Promise<ReadonlyMap<string, number>>;
  /** Resolves when the work after the backfill is done, such as the index of names: the processors are mostly idle. */
  untilSettled(): Promise<void>;
  /** By server, in MB. */
  disks(): Promise<Record<string, number>>;
}

/** The stack of docker-compose.yml with a simulated network of a scale, and more memory where .env advises it. */
export async function startGrowthStack(
  { scale, stack, say }: PartContext,
  { streams }: { streams: number },
): Promise<GrowthStack> {
  const project = await ComposeProject.create(`lobbystats-growth-${scale.factor}x`, {
    ...SETTINGS,
    ...(scale.factor > 3 && { SERVICE_MEMORY: '1g', MONGODB_MEMORY: '4g' }),
  });
  stack.defer(() => project.remove());
  await resizeNetwork(project, scale);
  const morePorts = await freePorts(Math.ceil(streams / STREAMS_PER_PORT));
  project.changeServices({ nginx: { ports: morePorts.map((port) => `127.0.0.1:${port}:8080`) } });
  say(`starting the stack at ${scale.factor}x`);
  await project.up('--build');
  const ids = (await project.compose('ps', '--format', '{{.Service}} {{.ID}}')).split('\n');
  const containers = ids.map((line) => line.split(' ')).filter(([service]) => service !== 'simulator');
  const figures = new Map(containers.map(([service = '', id = '']) => [service, containerFigures(id)]));
  return {
    ports: [Number(project.settings['LISTEN_PORT']), ...morePorts],
    figures,
    untilBackfilled: () => untilBackfilled(project, figures, say),
    untilSettled: () => untilSettled(figures),
    disks: async () => {
      const sizes: Record<string, number> = {};
      for (const [server, path] of Object.entries(DISKS)) {
        sizes[server] = Number((await project.compose('exec', '-T', server, 'du', '-sm', path)).split('\t')[0]);
      }
      return sizes;
    },
  };
}

async function resizeNetwork(project: ComposeProject, scale: Scale): Promise<void> {
  const { simulator } = await project.services();
  const command = simulator?.['command'] as string[];
  const { titles, players, boards, entries, openMatches } = scale;
  const sizes = { titles, players, boards, entries, 'open-matches': openMatches };
  const options = Object.entries(sizes).flatMap(([name, size]) => [`--${name}`, String(size)]);
  project.changeServices({ simulator: { command: [...command, ...options] } });
}

async function untilBackfilled(
  project: ComposeProject,
  figures: GrowthStack['figures'],
  say: (line: string) => void,
): Promise<ReadonlyMap<string, number>> {
  const highest = new Map<string, number>();
  const deadline = performance.now() + BACKFILLED_WITHIN_MS;
  for (let poll = 1; ; poll += 1) {
    for (const [service, { memoryMb }] of figures) {
      highest.set(service, Math.max(highest.get(service) ?? 0, await memoryMb()));
    }
    const left = await whatIsLeft(project).catch(messageOf);
    if (left === '') return highest;
    if (performance.now() > deadline) throw new Error(`the backfill is not done: ${left}`);
    if (poll % POLLS_PER_LINE === 0) say(left);
    await wait(POLL_MS);
  }
}

async function untilSettled(figures: GrowthStack['figures']): Promise<void> {
  const cpuSeconds = async () => {
    const times = await Promise.all([...figures.values()].map(({ cpuMs }) => cpuMs()));
    return times.reduce((sum, ms) => sum + ms / 1000, 0);
  };
  const deadline = performance.now() + SETTLED.withinSeconds * 1000;
  for (let quiet = 0; quiet < SETTLED.periods;) {
    const before = await cpuSeconds();
    await wait(SETTLED.seconds * 1000);
    quiet = (await cpuSeconds()) - before < SETTLED.share * SETTLED.seconds ? quiet + 1 : 0;
    if (performance.now() > deadline) throw new Error(`the stack is still busy after ${SETTLED.withinSeconds} s`);
  }
}

const QUEUES = ['-p', 'lobbystats', 'type', 'messages'];
const READ_STATUS = "fetch('http://127.0.0.1:8080/readyz').then((r) => r.text()).then(console.log)";

interface Backfill {
  readonly done: boolean;
}

/** Empty when nothing is. */
async function whatIsLeft(project: ComposeProject): Promise<string> {
  const text = await project.compose('exec', '-T', 'collector', 'node', '-e', READ_STATUS);
  const { boardFill, playerFill } = JSON.parse(text) as Record<'boardFill' | 'playerFill', Backfill | null>;
  if (boardFill?.done !== true || playerFill?.done !== true) return text;
  const queues = await project.compose('exec', '-T', 'rabbitmq', 'rabbitmqctl', 'list_queues', '-q', ...QUEUES);
  const waiting = queues.split('\n').map((line) => line.trim().split(/\s+/));
  const messages = waiting.reduce((sum, [type, count]) => sum + (type === 'quorum' ? Number(count) : 0), 0);
  return messages === 0 ? '' : `${messages} messages in queues`;
}
