import { setTimeout as wait } from 'node:timers/promises';
import { messageOf } from '@lobbystats/errors';
import { ComposeProject } from '@lobbystats/test-kit/compose-project';
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
const POLLS_PER_LINE = 12;
const DISKS = { influxdb: '/var/lib/influxdb2', mongodb: '/data/db', rabbitmq: '/var/lib/rabbitmq' } as const;

export interface GrowthStack {
  readonly port: number;
  /** By service. */
  readonly figures: ReadonlyMap<string, ContainerFigures>;
  /** Resolves, when the backfill is done and stored, to the highest memory of each service during it, in MB. */
  untilBackfilled(): Promise<ReadonlyMap<string, number>>;
  /** By server, in MB. */
  disks(): Promise<Record<string, number>>;
}

/** The stack of docker-compose.yml with a simulated network of a scale, and more memory where .env advises it. */
export async function startGrowthStack({ scale, stack, say }: PartContext): Promise<GrowthStack> {
  const project = await ComposeProject.create(`lobbystats-growth-${scale.factor}x`, {
    ...SETTINGS,
    ...(scale.factor > 3 && { SERVICE_MEMORY: '1g', MONGODB_MEMORY: '4g' }),
  });
  stack.defer(() => project.remove());
  await resizeNetwork(project, scale);
  say(`starting the stack at ${scale.factor}x`);
  await project.up('--build');
  const ids = (await project.compose('ps', '--format', '{{.Service}} {{.ID}}')).split('\n');
  const figures = new Map(
    ids.map((line) => {
      const [service = '', id = ''] = line.split(' ');
      return [service, containerFigures(id)];
    }),
  );
  return {
    port: Number(project.settings['LISTEN_PORT']),
    figures,
    untilBackfilled: () => untilBackfilled(project, figures, say),
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
  for (let poll = 1; ; poll += 1) {
    for (const [service, { memoryMb }] of figures) {
      highest.set(service, Math.max(highest.get(service) ?? 0, await memoryMb()));
    }
    const left = await whatIsLeft(project).catch(messageOf);
    if (left === '') return highest;
    if (poll % POLLS_PER_LINE === 0) say(left);
    await wait(POLL_MS);
  }
}

const READ_STATUS = "fetch('http://127.0.0.1:8080/readyz').then((r) => r.text()).then(console.log)";

interface Backfill {
  readonly done: boolean;
}

/** Empty when nothing is. */
async function whatIsLeft(project: ComposeProject): Promise<string> {
  const text = await project.compose('exec', '-T', 'collector', 'node', '-e', READ_STATUS);
  const { boardFill, playerFill } = JSON.parse(text) as Record<'boardFill' | 'playerFill', Backfill | null>;
  if (boardFill?.done !== true || playerFill?.done !== true) return text;
  const queues = await project.compose(
    'exec',
    '-T',
    'rabbitmq',
    'rabbitmqctl',
    'list_queues',
    '-q',
    'type',
    'messages',
  );
  const waiting = queues.split('\n').map((line) => line.trim().split(/\s+/));
  const messages = waiting.reduce((sum, [type, count]) => sum + (type === 'quorum' ? Number(count) : 0), 0);
  return messages === 0 ? '' : `${messages} messages in queues`;
}
