import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { readComposeFile } from '../stack/compose-files.ts';

const composeFile = z.looseObject({
  services: z.record(
    z.string(),
    z.looseObject({
      // A list passes on what the environment has.
      environment: z
        .union([z.record(z.string(), z.string()), z.array(z.string()).transform((): Record<string, string> => ({}))])
        .default({}),
      ports: z.array(z.string()).optional(),
      extends: z.looseObject({ service: z.string() }).optional(),
    }),
  ),
});
const INFRA = join(import.meta.dirname, '../../../../infra');
const readInfra = (path: string): unknown => parse(readFileSync(join(INFRA, path), 'utf8'));

const targets = z.array(z.looseObject({ targets: z.array(z.string()) })).default([]);
const prometheusFile = z.looseObject({
  scrape_configs: z.array(
    z.looseObject({
      job_name: z.string(),
      static_configs: targets,
      dns_sd_configs: z.array(z.looseObject({ names: z.array(z.string()) })).default([]),
      file_sd_configs: z.array(z.looseObject({ files: z.array(z.string()) })).default([]),
    }),
  ),
});
const { scrape_configs: scraped } = prometheusFile.parse(readInfra('prometheus/prometheus.yml'));
const base = composeFile.parse(readComposeFile('docker-compose.yml').content).services;
const cluster = composeFile.parse(readComposeFile('docker-compose.cluster.yml').content).services;

/** Clustered servers with the hosts that URLs list. */
const HOSTS: Readonly<Record<string, string>> = {
  '@rabbitmq:5672': '@rabbitmq:5672,rabbitmq-2:5672,rabbitmq-3:5672',
  '//rabbitmq:15672': '//rabbitmq:15672,rabbitmq-2:15672,rabbitmq-3:15672',
  '@mongodb:27017': '@mongodb:27017,mongodb-2:27017,mongodb-3:27017',
  '//mongodb:27017': '//mongodb:27017,mongodb-2:27017,mongodb-3:27017',
};

/** Added nodes, with each job that scrapes the node that they extend. */
function scrapedNodes() {
  return Object.entries(cluster).flatMap(([node, { extends: of }]) =>
    scraped
      .filter(({ static_configs: fixed, dns_sd_configs: names }) => {
        const inBase = [...fixed.flatMap((config) => config.targets), ...names.flatMap((config) => config.names)];
        return inBase.some((target) => target.split(':')[0] === of?.service);
      })
      .map(({ job_name: job, file_sd_configs: files }) => ({ node, job, files })),
  );
}

/** Targets of the files that a pattern in the container matches. */
function targetsOf(pattern: string): string[] {
  const prefix = basename(pattern, '*.yml');
  return readdirSync(join(INFRA, 'prometheus-cluster'))
    .filter((file) => file.startsWith(prefix))
    .flatMap((file) => targets.parse(readInfra(`prometheus-cluster/${file}`)))
    .flatMap(({ targets: some }) => some);
}

/** The value in a cluster; undefined: it names no clustered server. */
function inCluster(value: string): string | undefined {
  const one = Object.keys(HOSTS).find((host) => value.includes(host));
  if (one === undefined) return undefined;
  const withHosts = value.replace(one, HOSTS[one] ?? '');
  return value.startsWith('amqp:') ? `${withHosts}?heartbeat=1` : withHosts;
}

describe('docker-compose.cluster.yml', () => {
  const urls = Object.entries(base).flatMap(([service, { environment }]) =>
    Object.entries(environment).flatMap(([setting, value]) => {
      const expected = inCluster(value);
      return expected === undefined ? [] : [{ service, setting, expected }];
    }),
  );

  it.each(urls)('lists all hosts in $setting of $service', ({ service, setting, expected }) => {
    expect(cluster[service]?.environment[setting]).toBe(expected);
  });

  it('overrides the URLs of every service and tool that uses a clustered server', () => {
    expect(urls.length).toBeGreaterThan(12);
  });

  it.each(scrapedNodes())('Prometheus scrapes $node in the job $job', ({ node, files }) => {
    const added = files.flatMap(({ files: [pattern = ''] }) => targetsOf(pattern));
    expect(added.map((target) => target.split(':')[0])).toContain(node);
  });

  it('publishes no port of an added node', () => {
    const added = Object.values(cluster).filter((service) => service.extends !== undefined);
    expect(added.length).toBeGreaterThan(3);
    for (const { extends: of, ports = base[of?.service ?? '']?.ports ?? [] } of added) {
      expect([of?.service, ports]).toEqual([of?.service, []]);
    }
  });
});
