import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

const root = join(import.meta.dirname, '../..');
const text = readFileSync(join(root, 'docker-compose.yml'), 'utf8');
const example = readFileSync(join(root, '.env.example'), 'utf8');

const composeFile = z.looseObject({
  services: z.record(
    z.string(),
    z.looseObject({
      read_only: z.boolean().optional(),
      cap_drop: z.array(z.string()).optional(),
      cap_add: z.array(z.string()).optional(),
      security_opt: z.array(z.string()).optional(),
      mem_limit: z.string().optional(),
      pids_limit: z.string().optional(),
      restart: z.string().optional(),
      logging: z.looseObject({ options: z.record(z.string(), z.string()) }).optional(),
      tmpfs: z.array(z.string()).optional(),
      networks: z.array(z.string()).default([]),
      ports: z.array(z.string()).default([]),
      profiles: z.array(z.string()).default([]),
      environment: z.record(z.string(), z.unknown()).default({}),
    }),
  ),
  networks: z.record(
    z.string(),
    z
      .looseObject({ internal: z.boolean().optional(), driver_opts: z.record(z.string(), z.string()).optional() })
      .nullable(),
  ),
});
const { services, networks } = composeFile.parse(parse(text, { merge: true }));
const each = Object.entries(services);
const namesOf = (isSo: (service: (typeof each)[number][1]) => boolean): string[] =>
  each.filter(([, service]) => isSo(service)).map(([name]) => name);

describe('the containers of docker-compose.yml', () => {
  it.each(each)('%s changes nothing of its image, has no rights, and has bounds', (_name, service) => {
    expect(service).toMatchObject({
      read_only: true,
      tmpfs: expect.arrayContaining(['/tmp:size=64m']),
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      mem_limit: expect.stringMatching(/^\$\{[A-Z]+_MEMORY:-\d+[mg]\}$/),
      pids_limit: expect.stringContaining('PIDS_LIMIT'),
      restart: expect.stringMatching(/^(unless-stopped|on-failure:5|no)$/),
      logging: { options: { 'max-size': '10m', 'max-file': '5' } },
    });
  });

  it('have capabilities only where an entrypoint must become its user', () => {
    expect(namesOf(({ cap_add = [] }) => cap_add.length > 0)).toEqual(['influxdb']);
  });

  it('are published on loopback, and beyond it only the doors that have a setting for it', () => {
    const published = each.flatMap(([name, { ports }]) => ports.map((port) => [name, port] as const));
    const elsewhere = published.filter(
      ([, port]) => !/^(127[.]0[.]0[.]1|[$][{][A-Z]+_HOST:-127[.]0[.]0[.]1[}]):/.test(port),
    );
    expect(elsewhere).toEqual([]);
    const settable = published.filter(([, port]) => port.startsWith('$')).map(([name]) => name);
    expect(settable.sort()).toEqual(['analysts-tls', 'influxdb', 'nginx']);
  });

  it('meet the public in a network that only nginx is in', () => {
    expect(namesOf((service) => service.networks.includes('public'))).toEqual(['nginx']);
    expect(networks['inside']?.internal).toBe(true);
  });

  it('get out only where the network, the auth service or Discord is asked', () => {
    const out = namesOf((service) => service.networks.includes('outside'));
    expect(out).toEqual(['collector', 'user-api', 'reputation-api']);
  });

  it('serve metrics where Prometheus scrapes them, on a port that is not published', () => {
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

  it('have no egress by the networks that publish ports', () => {
    const egress = Object.entries(networks).filter(
      ([, network]) =>
        network?.internal !== true &&
        network?.driver_opts?.['com.docker.network.bridge.enable_ip_masquerade'] !== 'false',
    );
    expect(egress.map(([name]) => name)).toEqual(['outside']);
  });

  it('leave the simulator out where NETWORK_URL names a network', () => {
    const { profiles = [] } = services['simulator'] ?? {};
    expect(profiles.length).toBeGreaterThan(0);
    expect(profiles.filter((profile) => !profile.endsWith('${NETWORK_URL:+-too}'))).toEqual([]);
  });
});

describe('.env.example', () => {
  const asked = [...text.matchAll(/\$\{([A-Z_]+)(?::-([^${}]*))?/g)];

  it('gives the memory limits that docker-compose.yml has', () => {
    const limits = asked.filter(([, name = '']) => name.endsWith('_MEMORY'));
    const other = limits.filter(([, name, value]) => !example.includes(`\n${name}=${value}\n`)).map(([, name]) => name);
    expect(other).toEqual([]);
  });
});
