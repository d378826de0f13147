import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { interpolate } from '../stack/interpolate.ts';
import { secrets } from '@lobbystats/cli/secrets';
import { readComposeFile } from '../stack/compose-files.ts';

const SCRIPT = join(import.meta.dirname, '../../../../infra/docker/secrets.sh');

/** The secrets that the stack writes for each container alone. */
function secretsOfContainers(): Map<string, string[]> {
  const lines = readFileSync(SCRIPT, 'utf8').matchAll(/^ {2}\[([a-z-]+)\]='([A-Z_ ]+)'$/gm);
  return new Map([...lines].map(([, container = '', names = '']) => [container, names.split(' ')]));
}

const root = join(import.meta.dirname, '../../../..');
const { text, content } = readComposeFile();

/** As the short form. */
const bind = z
  .object({ type: z.literal('bind'), source: z.string(), target: z.string(), read_only: z.literal(true) })
  .transform(({ source, target }) => `${source}:${target}:ro`);
const composeFile = z.looseObject({
  services: z.record(
    z.string(),
    z.looseObject({
      read_only: z.boolean().optional(),
      cap_drop: z.array(z.string()).optional(),
      cap_add: z.array(z.string()).optional(),
      security_opt: z.array(z.string()).optional(),
      mem_limit: z.string().optional(),
      pids_limit: z.int().optional(),
      restart: z.string().optional(),
      logging: z.looseObject({ options: z.record(z.string(), z.string()) }).optional(),
      tmpfs: z.array(z.string()).optional(),
      networks: z
        .record(z.string(), z.unknown())
        .default({})
        .transform((all) => Object.keys(all)),
      ports: z.array(z.string()).default([]),
      profiles: z.array(z.string()).default([]),
      network_mode: z.string().optional(),
      volumes: z.array(z.union([z.string(), bind])).default([]),
      command: z.array(z.string()).optional(),
      entrypoint: z.array(z.string()).optional(),
      build: z.unknown().optional(),
      environment: z.union([z.record(z.string(), z.unknown()), z.array(z.string())]).default({}),
    }),
  ),
  networks: z.record(
    z.string(),
    z
      .looseObject({ internal: z.boolean().optional(), driver_opts: z.record(z.string(), z.string()).optional() })
      .nullable(),
  ),
});
const { services, networks } = composeFile.parse(content);
const serviceEntries = Object.entries(services);
const serviceNames = (isSo: (service: (typeof serviceEntries)[number][1]) => boolean): string[] =>
  serviceEntries.filter(([, service]) => isSo(service)).map(([name]) => name);

describe('containers of docker-compose.yml', () => {
  it.each(serviceEntries)('%s is read-only, without capabilities, and with resource limits', (_name, service) => {
    expect(service).toMatchObject({
      read_only: true,
      tmpfs: expect.arrayContaining(['/tmp:size=64m']),
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      mem_limit: expect.stringMatching(/^\d+[mg]$/),
      pids_limit: 512,
      restart: expect.stringMatching(/^(unless-stopped|on-failure:5|no)$/),
      logging: { options: { 'max-size': '10m', 'max-file': '5' } },
    });
  });

  it('have capabilities only to switch the user, and to give a file to another user', () => {
    expect(serviceNames(({ cap_add = [] }) => cap_add.length > 0)).toEqual(['secrets', 'acme', 'influxdb']);
    expect(services['secrets']).toMatchObject({ cap_add: ['CHOWN', 'DAC_OVERRIDE'], network_mode: 'none' });
    expect(services['acme']?.cap_add).toEqual(['CHOWN']);
  });

  it('publish ports on loopback only, except those with a HOST setting', () => {
    const published = serviceEntries.flatMap(([name, { ports }]) => ports.map((port) => [name, port] as const));
    const elsewhere = published.filter(
      ([, port]) => !/^(127[.]0[.]0[.]1|[$][{][A-Z]+_HOST:-127[.]0[.]0[.]1[}]):/.test(port),
    );
    expect(elsewhere).toEqual([]);
    const settable = published.filter(([, port]) => port.startsWith('$')).map(([name]) => name);
    expect(settable.sort()).toEqual(['analysts-tls', 'nginx', 'nginx-tls', 'nginx-tls']);
  });

  it('are reachable from the public network only through nginx', () => {
    expect(serviceNames((service) => service.networks.includes('public')).sort()).toEqual(['nginx', 'nginx-tls']);
    expect(networks['inside']?.internal).toBe(true);
  });

  it('have outbound access only when they request the network, the auth service, Discord or a certificate', () => {
    const out = serviceNames((service) => service.networks.includes('outside'));
    expect(out.sort()).toEqual(['acme', 'collector', 'operator', 'reputation-api', 'user-api']);
  });

  it('serve metrics on the scraped port, which is not published', () => {
    const { scrape_configs: jobs } = parse(readFileSync(join(root, 'infra/prometheus/prometheus.yml'), 'utf8')) as {
      scrape_configs: { job_name: string; dns_sd_configs: { names: string[]; port: number }[] }[];
    };
    const [scraped] = jobs.find((job) => job.job_name === 'lobbystats')?.dns_sd_configs ?? [];
    expect(scraped?.names.length).toBeGreaterThan(0);
    for (const name of scraped?.names ?? []) {
      const { environment, ports = [] } = services[name] ?? {};
      expect([name, environment]).toEqual([
        name,
        expect.objectContaining({ METRICS_HOST: '0.0.0.0', METRICS_PORT: String(scraped?.port) }),
      ]);
      expect(ports.filter((port) => port.includes(String(scraped?.port)))).toEqual([]);
    }
  });

  it('have no egress through the networks that publish ports', () => {
    const egress = Object.entries(networks).filter(
      ([, network]) =>
        network?.internal !== true &&
        network?.driver_opts?.['com.docker.network.bridge.enable_ip_masquerade'] !== 'false',
    );
    expect(egress.map(([name]) => name)).toEqual(['outside']);
  });

  it('are eleven by default, of which one observes a simulated network unless NETWORK_URL is set', () => {
    const started = serviceNames(({ profiles }) => profiles.length === 0);
    const jobs = ['init', 'secrets'];
    expect(started.filter((name) => !jobs.includes(name))).toHaveLength(11);
    const [, path = ''] = /path: '(\S*simulator[.]yml)'/.exec(text) ?? [];
    const without = interpolate(path, { NETWORK_URL: 'https://network.example' });
    expect(parse(readFileSync(join(root, without), 'utf8'))).toEqual({ services: {} });
  });

  it('have one image, which is built once', () => {
    expect(serviceNames(({ build }) => build !== undefined)).toEqual(['init']);
  });

  it('of tools have no arguments, so that a missing one is an error', () => {
    const tools = serviceEntries.filter(([, { profiles, entrypoint }]) => profiles.includes('tools') && entrypoint);
    expect(tools.map(([name, { command }]) => [name, command])).toEqual([
      ['dlq', undefined],
      ['analyst-token', undefined],
      ['moderate', undefined],
    ]);
  });

  it('let an edited infra/achievements.json have an effect without a new image', () => {
    expect(services['user-api']?.volumes).toContain('./infra/achievements.json:/app/infra/achievements.json:ro');
  });

  it('read secrets of their own alone, and have none in their settings', () => {
    const owners = secretsOfContainers();
    const mounted = serviceEntries.flatMap(([name, { volumes }]) =>
      volumes
        .filter((volume) => /^secrets\S*:[/]run[/]secrets:ro$/.test(volume))
        .map((volume) => [name, volume.split(':')[0]]),
    );
    const all = mounted.filter(([, volume]) => volume === 'secrets').map(([name]) => name);
    expect(all.sort()).toEqual(['init', 'operator']);
    const own = mounted.filter(([, volume]) => volume !== 'secrets');
    expect(own.filter(([name, volume]) => volume !== `secrets-${name}`)).toEqual([]);
    expect(own.map(([name]) => name).sort()).toEqual([...owners.keys()].sort());
    for (const [name, { environment }] of serviceEntries) {
      const used = [...JSON.stringify(environment).matchAll(/\$\$\((\w+)\)|[/]run[/]secrets[/](\w+)/g)];
      expect([
        name,
        used.map(([, first, second]) => first ?? second).filter((one = '') => !owners.get(name)?.includes(one)),
      ]).toEqual([name, []]);
    }
    expect([...text.matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name).filter((name) => name in secrets)).toEqual([]);
  });

  it('reach the simulator for nothing when NETWORK_URL is set', () => {
    const filled = interpolate(text, { NETWORK_URL: 'https://network.example' });
    const urls = filled.match(/(?<=: )https?:\/\/(?:simulator|127[.]0[.]0[.]1)\b\S*8090\S*/g) ?? [];
    expect(urls.map((url) => new URL(url).hostname).filter((host) => !host.endsWith('.invalid'))).toEqual([]);
    expect(urls.length).toBeGreaterThan(2);
  });
});
