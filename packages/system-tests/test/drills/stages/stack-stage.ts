import { readFileSync, rmSync } from 'node:fs';
import { sendRequest } from '@lobbystats/test-kit/send-request';
import { ComposeProject, simulatorService } from '@lobbystats/test-kit/compose-project';
import { docker } from '@lobbystats/test-kit/docker';
import { acceleratedConfiguration } from './accelerate-rules.ts';
import { searchDocuments } from '../search-documents.ts';
import { InsideClient } from './inside-client.ts';
import { signInKnownUsers } from './known-users.ts';
import { openNetworkTrap } from './network-trap.ts';
import { Prometheus } from './prometheus.ts';
import { SHORT_BACKFILL, type Stage } from './stage.ts';
import { failingRoutes } from './failing-routes.ts';
import { warmUp } from './warm-up.ts';

/** Own processes; the memory of servers is not checked. */
const SERVICES = ['collector', 'series-api', 'catalog-api', 'user-api', 'reputation-api', 'gateway', 'nginx'];
const WITH_HEALTH = SERVICES.filter((service) => service !== 'nginx');
/** The stack of docker-compose.yml under its own project name. */
export interface StackStage extends Stage {
  readonly kind: 'stack';
  /** The name of its compose project. */
  readonly project: string;
  /** Answers when the stack was opened with alerts. */
  readonly prometheus: Prometheus;
  /** The `.env`: ports and secrets. */
  readonly settings: Readonly<Record<string, string>>;
  /** Runs `docker compose` on it. Resolves to its output. */
  readonly compose: (...args: string[]) => Promise<string>;
}

export interface StackOptions {
  /** Keeps the stack running when the stage is closed. */
  readonly keepRunning?: boolean;
  /** Starts Prometheus with accelerated rules. */
  readonly withAlerts?: boolean;
  /** Settings in its `.env`, beside those of a short backfill. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Options of the simulated network. */
  readonly network?: Readonly<Record<string, number>>;
  /** Replicas by service. */
  readonly scale?: Readonly<Record<string, number>>;
}

/** Starts a stack. */
export async function openStack(options: StackOptions = {}): Promise<StackStage> {
  const { keepRunning = false, withAlerts = false, settings = {}, network = {}, scale = {} } = options;
  const project = await ComposeProject.create('lobbystats-drills', { ...SHORT_BACKFILL, ...settings });
  project.changeServices(simulatorService(network));
  const rules = withAlerts ? acceleratedConfiguration() : undefined;
  const remove = async (): Promise<void> => {
    await project.remove();
    if (rules !== undefined) rmSync(rules, { recursive: true });
  };
  try {
    if (rules !== undefined) project.changeServices({ prometheus: { volumes: [`${rules}:/etc/prometheus:ro`] } });
    await project.up('--build', ...Object.entries(scale).flatMap(([name, count]) => ['--scale', `${name}=${count}`]));
    if (rules !== undefined) await project.up('--no-deps', 'prometheus');
    return await stackStage(project.arguments, keepRunning ? () => printHowToReuse(project) : remove);
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Prints to standard error how to reuse and remove a stack that stays up. */
function printHowToReuse({ name, arguments: words }: ComposeProject): Promise<void> {
  process.stderr.write(`${name} stays up. Reuse it in the next run with TEST_STACK='${JSON.stringify(words)}'\n`);
  process.stderr.write(`Remove it with: docker ${words.join(' ')} --profile '*' down -v\n`);
  return Promise.resolve();
}

/**
 * Attaches to a running stack.
 *
 * @param project arguments before every command: `compose -p … --env-file …`
 */
export async function stackStage(
  project: readonly string[],
  close: () => Promise<void> = () => Promise.resolve(),
): Promise<StackStage> {
  const settings = readSettings(project);
  const url = `http://127.0.0.1:${settings['LISTEN_PORT']}`;
  const networkUrl = `http://127.0.0.1:${settings['SIMULATOR_PORT']}`;
  const compose = (...args: string[]) => docker([...project, ...args]);
  const inside = new InsideClient(project);
  const users = await signInKnownUsers(url, networkUrl);
  await warmUp(url);
  const name = String(project[project.indexOf('-p') + 1]);
  const containers = () => containersOf(name);
  return {
    kind: 'stack',
    project: name,
    ...{ url, networkUrl, users, settings, compose },
    prometheus: new Prometheus(`http://127.0.0.1:${settings['PROMETHEUS_PORT']}/`),
    close: () => {
      inside.close();
      return close();
    },
    request: (path, options) => sendRequest(url, path, options),
    memory: async () => {
      const own = new Map((await containers()).map((container) => [container.name, replicaOf(container)]));
      const lines = await docker(['stats', '--no-stream', '--format', '{{.Name}} {{.MemUsage}}', ...own.keys()]);
      return Object.fromEntries(
        lines.split('\n').map((line) => {
          const [name = '', used = ''] = line.split(' ');
          return [own.get(name) ?? name, bytesOf(used)];
        }),
      );
    },
    metrics: async (service) => (await inside.fetch(`http://${service}:9464/metrics`)).text,
    markLog: () => new Date(Date.now()).toISOString(),
    logs: (mark) =>
      compose('logs', '--no-color', '--no-log-prefix', ...(mark === undefined ? [] : ['--since', mark]), ...SERVICES),
    countStored: async (texts) => (await searchDocuments({ compose }, texts)).found,
    incarnations: async () => {
      const own = await containers();
      const lines = await docker(['inspect', '-f', '{{.State.StartedAt}}', ...own.map(({ id }) => id)]);
      return Object.fromEntries(own.map((container, index) => [replicaOf(container), lines.split('\n')[index] ?? '']));
    },
    unhealthy: async () => {
      const unready: string[] = [];
      const readiness = WITH_HEALTH.map(async (service) => {
        if ((await inside.fetch(`http://${service}:8080/readyz`)).status !== 200) unready.push(service);
      });
      await Promise.all(readiness);
      return [...unready, ...(await failingRoutes(url, users[0].username))];
    },
    trap: () => openNetworkTrap(name),
  };
}

interface Container {
  readonly id: string;
  readonly name: string;
  readonly service: string;
}

/** Containers of our services in a compose project, running or not. */
async function containersOf(project: string): Promise<Container[]> {
  const format = '{{.ID}} {{.Names}} {{.Label "com.docker.compose.service"}}';
  const label = `label=com.docker.compose.project=${project}`;
  const lines = (await docker(['ps', '-a', '--filter', label, '--format', format])).split('\n');
  return lines
    .map((line) => {
      const [id = '', name = '', service = ''] = line.split(' ');
      return { id, name, service };
    })
    .filter(({ service }) => SERVICES.includes(service));
}

/** A service's name, with a number from its second replica on. */
function replicaOf({ name, service }: Container): string {
  const [, number = '1'] = /-(\d+)$/.exec(name) ?? [];
  return number === '1' ? service : `${service} ${number}`;
}

function readSettings(project: readonly string[]): Record<string, string> {
  const file = String(project[project.indexOf('--env-file') + 1]);
  return Object.fromEntries(
    [...readFileSync(file, 'utf8').matchAll(/^([A-Z_]+)=(.*)$/gm)].map((line) => [String(line[1]), String(line[2])]),
  );
}

const UNITS: Readonly<Record<string, number>> = { B: 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 };

/** `123.4MiB` in bytes. */
function bytesOf(text: string): number {
  const [, amount = '0', unit = 'B'] = /^([\d.]+)([A-Za-z]+)$/.exec(text) ?? [];
  return Number(amount) * (UNITS[unit] ?? 1);
}
