import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { secrets } from '@lobbystats/cli/secrets';
import { eventually } from '@lobbystats/test-kit';
import { simulatorService } from '@lobbystats/test-kit/compose-project';
import { docker } from '@lobbystats/test-kit/docker';
import { generate } from 'selfsigned';
import { IMAGE } from '../stack/image.ts';
import { readContainers, type PodContainer } from './manifests.ts';

export const RABBITMQ_NODES = ['rabbitmq-1', 'rabbitmq-2', 'rabbitmq-3'] as const;
export const MONGODB_MEMBERS = ['mongodb-1', 'mongodb-2', 'mongodb-3'] as const;
const [FIRST_NODE] = RABBITMQ_NODES;
const [FIRST_MEMBER] = MONGODB_MEMBERS;

const imageOf = (name: string, fallback: string) => process.env[`${name}_IMAGE`] ?? fallback;
const UP = ['up', '-d', '--wait', '--wait-timeout', '300'];

/** The settings that an installation replaces in the ConfigMap. */
const SETTINGS = {
  PUBLIC_URL: 'http://127.0.0.1:8080',
  NETWORK_URL: 'http://simulator:8090',
  NETWORK_ORIGIN: 'simulated',
  AUTH_URL: 'http://simulator:8090',
  AUTH_PUBLIC_URL: 'http://127.0.0.1:8090',
  DISCORD_API_URL: 'http://simulator:8090/discord',
  RABBITMQ_HOST: 'rabbitmq:5671',
  RABBITMQ_MANAGEMENT_URL: 'https://rabbitmq:15671',
  MONGODB_HOSTS: MONGODB_MEMBERS.map((name) => `${name}:27017`).join(','),
  INFLUXDB_URL: 'https://influxdb:8086',
  NODE_EXTRA_CA_CERTS: '/etc/authorities/ca.crt',
  BACKFILL_DAYS: '1',
};

const RABBITMQ_CONF = [
  'listeners.tcp = none',
  'listeners.ssl.default = 5671',
  'ssl_options.certfile = /servers/cert.pem',
  'ssl_options.keyfile = /servers/key.pem',
  'management.ssl.port = 15671',
  'management.ssl.certfile = /servers/cert.pem',
  'management.ssl.keyfile = /servers/key.pem',
  'cluster_formation.peer_discovery_backend = classic_config',
  ...RABBITMQ_NODES.map((name, index) => `cluster_formation.classic_config.nodes.${index + 1} = rabbit@${name}`),
].join('\n');

interface Queue {
  readonly name: string;
  readonly messages: number;
}

/**
 * Servers with TLS that know nothing of the system, and the containers of the Kubernetes manifests, in a compose project of
 * their own.
 */
export class ForeignServers {
  readonly project = `lobbystats-foreign-${process.pid}`;
  readonly #directory = mkdtempSync(join(tmpdir(), 'lobbystats-foreign-'));
  readonly #containers = readContainers(SETTINGS);
  readonly #secrets: Record<string, string> = Object.fromEntries(
    Object.keys(secrets).map((name) => [name, randomBytes(24).toString('hex')]),
  );

  /** @param network options of the simulated network */
  async start(network: Readonly<Record<string, number>>): Promise<void> {
    await this.#writeFiles();
    this.#writeProject(network);
    const services = this.#containers.map(({ name }) => name).filter((name) => name !== 'init');
    await this.compose(...UP, ...RABBITMQ_NODES, ...MONGODB_MEMBERS, 'influxdb', 'simulator');
    await this.#join();
    for (const one of this.#containers) this.#writeSecrets(one);
    await this.compose('run', '--rm', '-T', 'init');
    await this.compose(...UP, ...services);
  }

  readonly compose = (...args: string[]): Promise<string> =>
    docker(['compose', '-p', this.project, '-f', join(this.#directory, 'compose.json'), ...args]);

  /** URL of a published port. */
  async url(service: 'gateway' | 'simulator', port: number): Promise<string> {
    return `http://${await this.compose('port', service, String(port))}`;
  }

  /** @throws Error unless all nodes and members run */
  async ensureComplete(): Promise<void> {
    await this.compose('exec', '-T', FIRST_NODE, 'rabbitmqctl', '-q', 'await_online_nodes', '3', '--timeout', '10');
    const states = await this.#mongosh(
      MONGODB_MEMBERS[1],
      'rs.status().members.map(({ stateStr }) => stateStr).sort()',
    );
    if (states !== '["PRIMARY","SECONDARY","SECONDARY"]') throw new Error(`the members of MongoDB are ${states}`);
  }

  /** Queues of dead letters that have some. */
  async deadLetters(): Promise<string[]> {
    const list = ['rabbitmqctl', '-q', '-p', 'lobbystats', 'list_queues', 'name', 'messages', '--formatter', 'json'];
    const queues = JSON.parse(await this.compose('exec', '-T', FIRST_NODE, ...list)) as Queue[];
    return queues.filter(({ name, messages }) => /[.]dead$/.test(name) && messages > 0).map(({ name }) => name);
  }

  async remove(): Promise<void> {
    await this.compose('down', '-v', '-t', '2').finally(() =>
      rmSync(this.#directory, { recursive: true, force: true }),
    );
  }

  /** Makes the members a replica set, and the token of series-api. */
  async #join(): Promise<void> {
    const members = MONGODB_MEMBERS.map((name, index) => ({ _id: index, host: `${name}:27017` }));
    await this.#mongosh(FIRST_MEMBER, `rs.initiate(${JSON.stringify({ _id: 'set', members })}).ok`);
    await eventually(() => this.ensureComplete(), { everyMs: 1000 });
    const flags = ['--host', 'https://influxdb:8086', '--skip-verify', '--json', '--org', 'lobbystats'];
    const create = ['auth', 'create', '--read-buckets', '--write-buckets', ...flags, '--token'];
    const made = await this.compose(
      'exec',
      '-T',
      'influxdb',
      'influx',
      ...create,
      this.#secret('INFLUXDB_ADMIN_TOKEN'),
    );
    this.#secrets['INFLUX_TOKEN'] = (JSON.parse(made) as { token: string }).token;
  }

  /** Resolves to the value of an expression as JSON. */
  #mongosh(member: string, expression: string): Promise<string> {
    const login = [
      '-u',
      'admin',
      '-p',
      this.#secret('MONGODB_ADMIN_PASSWORD'),
      '--tls',
      '--tlsCAFile',
      '/servers/cert.pem',
    ];
    const program = `JSON.stringify(${expression})`;
    return this.compose(
      ...['exec', '-T', member, 'mongosh', '--quiet', '--norc', '--host', member, ...login, '--eval', program],
    );
  }

  #secret(name: string): string {
    return this.#secrets[name] ?? '';
  }

  #path(...parts: string[]): string {
    return join(this.#directory, ...parts);
  }

  async #writeFiles(): Promise<void> {
    for (const name of ['servers', 'authorities']) mkdirSync(this.#path(name), { mode: 0o755 });
    const names = ['rabbitmq', ...RABBITMQ_NODES, ...MONGODB_MEMBERS, 'influxdb'];
    const { cert, private: key } = await generate([{ name: 'commonName', value: 'servers' }], {
      algorithm: 'sha256',
      keySize: 2048,
      extensions: [
        { name: 'basicConstraints', cA: true },
        { name: 'subjectAltName', altNames: names.map((value) => ({ type: 2, value })) },
      ],
    });
    writeFileSync(this.#path('authorities', 'ca.crt'), cert);
    const files = {
      'cert.pem': cert,
      'key.pem': key,
      'both.pem': `${cert}\n${key}`,
      'member-key': randomBytes(96).toString('base64'),
      'rabbitmq.conf': RABBITMQ_CONF,
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(this.#path('servers', name), text, { mode: 0o644 });
  }

  #writeSecrets({ name, secrets: keys = Object.keys(this.#secrets) }: PodContainer): void {
    mkdirSync(this.#path(name), { mode: 0o755 });
    for (const key of keys) if (key in this.#secrets) writeFileSync(this.#path(name, key), this.#secret(key));
  }

  #writeProject(network: Readonly<Record<string, number>>): void {
    const common = {
      volumes: [`${this.#path('servers')}:/servers:ro`],
      // Docker forgets the name of a killed container, and asks other name servers.
      dns_opt: ['timeout:1', 'attempts:1'],
    };
    const healthy = (...command: string[]) => ({
      healthcheck: { test: ['CMD', ...command], interval: '5s', timeout: '30s', retries: 60 },
    });
    const ready = (...args: string[]) => healthy('bash', 'infra/docker/ready.sh', ...args);
    const rabbitmq = (hostname: string) => ({
      ...common,
      ...healthy('rabbitmq-diagnostics', '-q', 'check_running'),
      hostname,
      networks: { default: { aliases: ['rabbitmq'] } },
      image: imageOf('RABBITMQ', 'rabbitmq:4-management'),
      environment: {
        RABBITMQ_DEFAULT_USER: 'admin',
        RABBITMQ_DEFAULT_PASS: this.#secret('RABBITMQ_ADMIN_PASSWORD'),
        RABBITMQ_ERLANG_COOKIE: 'of-these-nodes-alone',
      },
      volumes: [...common.volumes, `${this.#path('servers', 'rabbitmq.conf')}:/etc/rabbitmq/conf.d/90-nodes.conf:ro`],
    });
    const mongod = ['mongod', '--replSet', 'set', '--keyFile', '/tmp/key', '--tlsMode', 'requireTLS'];
    const certificates = ['--tlsCertificateKeyFile', '/servers/both.pem', '--tlsCAFile', '/servers/cert.pem'];
    const start = [...mongod, ...certificates, '--tlsAllowConnectionsWithoutCertificates'].join(' ');
    const mongodb = (hostname: string) => ({
      ...common,
      ...healthy('bash', '-c', 'exec 3<>/dev/tcp/127.0.0.1/27017'),
      hostname,
      image: imageOf('MONGO', 'mongo:8'),
      user: 'mongodb',
      entrypoint: ['bash', '-c', `umask 077; cp -f /servers/member-key /tmp/key; exec docker-entrypoint.sh ${start}`],
      // The other members get the administrator with the data.
      environment:
        hostname === FIRST_MEMBER
          ? {
              MONGO_INITDB_ROOT_USERNAME: 'admin',
              MONGO_INITDB_ROOT_PASSWORD: this.#secret('MONGODB_ADMIN_PASSWORD'),
            }
          : {},
    });
    const influxdb = {
      ...common,
      ...healthy('influx', 'ping', '--host', 'https://influxdb:8086', '--skip-verify'),
      hostname: 'influxdb',
      image: imageOf('INFLUXDB', 'influxdb:2.8'),
      command: ['influxd', '--tls-cert', '/servers/cert.pem', '--tls-key', '/servers/key.pem'],
      environment: {
        DOCKER_INFLUXDB_INIT_MODE: 'setup',
        DOCKER_INFLUXDB_INIT_USERNAME: 'admin',
        DOCKER_INFLUXDB_INIT_PASSWORD: this.#secret('INFLUXDB_ADMIN_PASSWORD'),
        DOCKER_INFLUXDB_INIT_ADMIN_TOKEN: this.#secret('INFLUXDB_ADMIN_TOKEN'),
        DOCKER_INFLUXDB_INIT_ORG: 'lobbystats',
        DOCKER_INFLUXDB_INIT_BUCKET: 'other',
      },
    };
    const simulator = {
      ...simulatorService(network).simulator,
      ...ready('8090', '/simulator/clock'),
      image: IMAGE,
      ports: ['127.0.0.1::8090'],
    };
    const pods = this.#containers.map(({ name, service }) => {
      const directories = { secrets: this.#path(name), authorities: this.#path('authorities') };
      const isService = name !== 'init';
      const run = { ...(isService && ready()), ...(isService && { restart: 'unless-stopped' }), init: true };
      const ports = name === 'gateway' && { ports: ['127.0.0.1::8080'] };
      return [name, { ...run, ...ports, dns_opt: common.dns_opt, ...service(directories) }] as const;
    });
    const services = {
      ...Object.fromEntries(RABBITMQ_NODES.map((name) => [name, rabbitmq(name)])),
      ...Object.fromEntries(MONGODB_MEMBERS.map((name) => [name, mongodb(name)])),
      influxdb,
      simulator,
      ...Object.fromEntries(pods),
    };
    writeFileSync(this.#path('compose.json'), JSON.stringify({ services }));
  }
}
