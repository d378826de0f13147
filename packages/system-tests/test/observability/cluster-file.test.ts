import { z } from 'zod';
import { readComposeFile } from '../stack/compose-files.ts';

const composeFile = z.looseObject({
  services: z.record(
    z.string(),
    z.looseObject({
      environment: z.record(z.string(), z.string()).default({}),
      ports: z.array(z.string()).optional(),
      extends: z.looseObject({ service: z.string() }).optional(),
    }),
  ),
});
const base = composeFile.parse(readComposeFile('docker-compose.yml').content).services;
const cluster = composeFile.parse(readComposeFile('docker-compose.cluster.yml').content).services;

/** Clustered servers with the hosts that URLs list. */
const HOSTS: Readonly<Record<string, string>> = {
  '@rabbitmq:5672': '@rabbitmq:5672,rabbitmq-2:5672,rabbitmq-3:5672',
  '//rabbitmq:15672': '//rabbitmq:15672,rabbitmq-2:15672,rabbitmq-3:15672',
  '@mongodb:27017': '@mongodb:27017,mongodb-2:27017,mongodb-3:27017',
  '//mongodb:27017': '//mongodb:27017,mongodb-2:27017,mongodb-3:27017',
};

/** The value in a cluster; undefined: it names no clustered server. */
function inCluster(value: string): string | undefined {
  const one = Object.keys(HOSTS).find((host) => value.includes(host));
  if (one === undefined) return undefined;
  const withHosts = value.replace(one, HOSTS[one] ?? '').replace(/:\?[^}]*\}/g, '}');
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

  it('publishes no port of an added node', () => {
    const added = Object.values(cluster).filter((service) => service.extends !== undefined);
    expect(added.length).toBeGreaterThan(3);
    for (const { extends: of, ports = base[of?.service ?? '']?.ports ?? [] } of added) {
      expect([of?.service, ports]).toEqual([of?.service, []]);
    }
  });
});
