import { mkdtempSync, readFileSync, rmSync, appendFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { docker, dockerInherited, runInherited } from './docker.ts';
import { freePorts } from './free-ports.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const PORTS = [
  'RABBITMQ_PORT',
  'RABBITMQ_MANAGEMENT_PORT',
  'INFLUXDB_PORT',
  'MONGODB_PORT',
  'SIMULATOR_PORT',
  'LISTEN_PORT',
  'PROMETHEUS_PORT',
  'GRAFANA_PORT',
  'ANALYSTS_LOCAL_PORT',
  'ANALYSTS_PORT',
  'HTTP_PORT',
  'HTTPS_PORT',
] as const;

/** A service as Compose describes it. */
export interface ComposeService {
  readonly image: string;
  readonly environment?: Readonly<Record<string, string | null>>;
  readonly [setting: string]: unknown;
}

/** The service of the simulated network, with options of its command by name, such as `openMatches`. */
export function simulatorService(options: Readonly<Record<string, number>>): { simulator: { command: string[] } } {
  const words = Object.entries(options).flatMap(([name, value]) => [
    `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
    String(value),
  ]);
  const command = ['node', 'packages/cli/src/main.ts', 'simulator', '--host', '0.0.0.0', '--port', '8090', ...words];
  return { simulator: { command } };
}

/** The compose file of the repository under its own project name, ports and secrets. */
export class ComposeProject {
  readonly name: string;
  /** The settings in `.env`, including secrets and ports. */
  readonly settings: Readonly<Record<string, string>>;
  readonly #directory: string;
  /** Additional compose files. */
  readonly #more: string[];

  private constructor(name: string, directory: string, files: readonly string[]) {
    this.name = name;
    this.#directory = directory;
    this.#more = files.map((file) => join(ROOT, file));
    this.settings = Object.fromEntries(
      [...readFileSync(join(directory, '.env'), 'utf8').matchAll(/^([A-Z_]+)=(.*)$/gm)].map((line) => [
        String(line[1]),
        String(line[2]),
      ]),
    );
  }

  /**
   * @param settings additional settings in `.env`
   * @param files additional compose files of the repository
   */
  static async create(
    name: string,
    settings: Readonly<Record<string, string>> = {},
    files: readonly string[] = [],
  ): Promise<ComposeProject> {
    const directory = mkdtempSync(join(tmpdir(), 'lobbystats-stack-'));
    const file = join(directory, '.env');
    const ended = await runInherited(process.execPath, [
      join(ROOT, 'packages/cli/src/provision/env-file/main.ts'),
      file,
    ]);
    if (ended !== 0) throw new Error(`no secrets: the init script ended with ${ended}`);
    const ports = await freePorts(PORTS.length);
    const all = {
      // Suites query InfluxDB as analysts do.
      COMPOSE_PROFILES: 'analysts',
      ENV_DIRECTORY: directory,
      ...Object.fromEntries(PORTS.map((port, index) => [port, String(ports[index])])),
      ...settings,
    };
    appendFileSync(
      file,
      Object.entries(all)
        .map(([key, value]) => `${key}=${value}\n`)
        .join(''),
    );
    return new ComposeProject(`${name}-${process.pid}`, directory, files);
  }

  /** Arguments before every command of this project. */
  get arguments(): string[] {
    const files = [join(ROOT, 'docker-compose.yml'), ...this.#more].flatMap((file) => ['-f', file]);
    return ['compose', '-p', this.name, ...files, '--env-file', join(this.#directory, '.env')];
  }

  /** The services of its compose files, with all settings filled in. */
  async services(): Promise<Readonly<Record<string, ComposeService>>> {
    const text = await this.compose('config', '--format', 'json');
    return (JSON.parse(text) as { services: Record<string, ComposeService> }).services;
  }

  /** Changes or adds services and volumes with an additional compose file. */
  changeServices(services: Readonly<Record<string, object>>, volumes: Readonly<Record<string, object>> = {}): void {
    const file = join(this.#directory, `more-${this.#more.length}.json`);
    writeFileSync(file, JSON.stringify({ services, volumes }));
    this.#more.push(file);
  }

  /** Starts services (all if none is named) and waits until they are healthy. */
  async up(...args: string[]): Promise<void> {
    await dockerInherited([...this.arguments, 'up', '-d', '--wait', '--quiet-pull', ...args]);
  }

  /** Builds the image of the services. */
  async build(): Promise<void> {
    await dockerInherited([...this.arguments, 'build', '--quiet']);
  }

  async compose(...args: string[]): Promise<string> {
    return docker([...this.arguments, ...args]);
  }

  /** Removes all of it, data included. */
  async remove(): Promise<void> {
    await docker([...this.arguments, '--profile', '*', 'down', '-v', '--remove-orphans', '-t', '2']);
    rmSync(this.#directory, { recursive: true, force: true });
  }
}
