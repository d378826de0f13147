import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { readComposeServices } from './compose-services.ts';
import { createReach } from './network-reach.ts';
import { everything, renderChart, RUNBOOKS, type KubernetesObject } from './render-chart.ts';
import { workloadsOf } from './workloads.ts';

const root = join(import.meta.dirname, '../../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const services = renderChart('lobbystats', everything.lobbystats);
const servers = renderChart('lobbystats-servers');
const find = (objects: readonly KubernetesObject[], kind: string, name?: string) =>
  objects.filter((object) => object.kind === kind && (name === undefined || object.metadata.name === name));

describe('the nginx of the chart', () => {
  const [object] = find(services, 'ConfigMap', 'lobbystats-nginx');
  const { data } = z.looseObject({ data: z.record(z.string(), z.string()) }).parse(object);

  it('has the files of infra/nginx, except the gateways’ addresses', () => {
    const files = globSync('infra/nginx/*', { cwd: root }).map((path) => [basename(path), read(path)] as const);
    expect(Object.keys(data).sort()).toEqual(files.map(([name]) => name).sort());
    const differing = files.filter(([name, text]) => data[name] !== text).map(([name]) => name);
    expect(differing).toEqual(['gateways.conf']);
  });

  it('finds gateways by the complete name of a headless Service', () => {
    expect(data['gateways.conf']).toContain('server lobbystats-gateway.stats.svc.cluster.local:8080 resolve');
    expect(find(services, 'Service', 'lobbystats-gateway')).toMatchObject([{ spec: { clusterIP: 'None' } }]);
  });
});

describe('the init job', () => {
  it('runs before an installation and an upgrade, after its volumes exist', () => {
    const hookOf = (object: KubernetesObject | undefined) => ({
      events: object?.metadata.annotations['helm.sh/hook'],
      weight: Number(object?.metadata.annotations['helm.sh/hook-weight']),
    });
    const claims = ['tokens', 'grafana-token'].map((name) =>
      hookOf(find(services, 'PersistentVolumeClaim', `lobbystats-${name}`)[0]),
    );
    const job = hookOf(find(services, 'Job')[0]);
    expect(job.events).toBe('pre-install,pre-upgrade');
    expect(claims.every(({ events, weight }) => events === job.events && weight < job.weight)).toBe(true);
  });
});

describe('helm test', () => {
  it('asks a gateway by its name, as a pod that may reach it', () => {
    const [test] = find(services, 'Pod') as (KubernetesObject & { spec: { containers: { command: string[] }[] } })[];
    expect(test?.metadata.annotations['helm.sh/hook']).toBe('test');
    const url = new URL(test?.spec.containers[0]?.command.at(-1) ?? '');
    expect(find(services, 'Service', url.hostname)).toHaveLength(1);
    const labels = test?.metadata.labels ?? {};
    const gateway = workloadsOf(services).get('gateway')?.labels ?? {};
    expect(createReach(services)({ labels }, { labels: gateway }, Number(url.port))).toBe(true);
  });
});

describe('replicas', () => {
  const named = (kind: string) => find(services, kind).map(({ metadata }) => metadata.name.replace('lobbystats-', ''));
  const single = ['analyst-proxy', 'simulator', 'export', 'dlq', 'analyst-token', 'operator', 'moderate'];

  it('have a disruption budget where there may be several', () => {
    expect(named('PodDisruptionBudget').sort()).toEqual(
      named('Deployment')
        .filter((name) => !single.includes(name))
        .sort(),
    );
  });

  it('are set by an autoscaler alone where there is one', () => {
    expect(named('HorizontalPodAutoscaler').sort()).toEqual(['collector', 'gateway']);
    for (const { metadata, spec } of find(services, 'Deployment') as (KubernetesObject & { spec: object })[]) {
      const name = metadata.name.replace('lobbystats-', '');
      expect([name, 'replicas' in spec]).toEqual([name, !['collector', 'gateway'].includes(name)]);
    }
  });
});

describe('the alerts of the chart', () => {
  it('are those of infra/prometheus/rules', () => {
    const files = globSync('infra/prometheus/rules/*.yml', { cwd: root }).sort();
    const own = (path: string) => read(path).replaceAll('{{ $externalURL }}/consoles/runbooks.html', RUNBOOKS);
    const groups = files.flatMap((path) => (parse(own(path)) as { groups: unknown[] }).groups);
    expect(find(services, 'PrometheusRule')).toMatchObject([{ spec: { groups } }]);
  });

  it('link to the runbooks by an address of the operator', () => {
    const text = JSON.stringify(find(services, 'PrometheusRule'));
    const urls = [...text.matchAll(/"runbook_url":"([^"]*)"/g)].map(([, url = '']) => url);
    expect(urls.length).toBeGreaterThan(20);
    expect(urls.filter((url) => !url.startsWith(`${RUNBOOKS}#`))).toEqual([]);
  });

  it('come with the dashboards of infra/grafana', () => {
    const files = globSync('infra/grafana/dashboards/*.json', { cwd: root }).sort();
    const maps = find(services, 'ConfigMap').filter(({ metadata }) => metadata.labels['grafana_dashboard'] === '1');
    const found = maps.flatMap((map) =>
      Object.values((map as KubernetesObject & { data: Record<string, string> }).data),
    );
    expect(found.sort()).toEqual(files.map(read).sort());
  });

  it('find the services’ metrics under the job name of infra/prometheus', () => {
    const [monitor] = find(services, 'ServiceMonitor');
    const relabelings = [
      { targetLabel: 'job', replacement: 'lobbystats' },
      { targetLabel: 'job', replacement: 'nginx', regex: 'nginx' },
      { targetLabel: 'service' },
    ];
    expect(monitor).toMatchObject({ spec: { endpoints: [{ port: 'metrics', honorLabels: true, relabelings }] } });
    const scraped = find(services, 'Service').filter(
      ({ metadata }) => metadata.labels['lobbystats/metrics'] === 'true',
    );
    const jobs = z
      .object({
        scrape_configs: z.array(
          z.looseObject({ dns_sd_configs: z.array(z.looseObject({ names: z.array(z.string()) })).optional() }),
        ),
      })
      .parse(parse(read('infra/prometheus/prometheus.yml')));
    const names = jobs.scrape_configs[0]?.dns_sd_configs?.[0]?.names ?? [];
    expect(scraped.map(({ metadata }) => metadata.name).sort()).toEqual(
      [...names, 'nginx'].map((name) => `lobbystats-${name}`).sort(),
    );
  });
});

describe('the servers of the chart lobbystats-servers', () => {
  const compose = readComposeServices();

  it('have the settings of docker-compose.yml: InfluxDB', () => {
    const [object] = find(servers, 'StatefulSet');
    const { spec } = z
      .looseObject({
        spec: z.looseObject({
          template: z.looseObject({
            spec: z.looseObject({
              containers: z.array(
                z.looseObject({
                  image: z.string(),
                  env: z.array(
                    z.looseObject({
                      name: z.string(),
                      value: z.string().optional(),
                      valueFrom: z.object({ secretKeyRef: z.object({ key: z.string() }) }).optional(),
                    }),
                  ),
                }),
              ),
            }),
          }),
        }),
      })
      .parse(object);
    const [container] = spec.template.spec.containers;
    const environment = container?.env.map(({ name, value, valueFrom }) => [
      name,
      value ?? `$(${valueFrom?.secretKeyRef.key})`,
    ]);
    expect(Object.fromEntries(environment ?? [])).toEqual(compose.get('influxdb')?.environment);
    expect(container?.image).toBe(compose.get('influxdb')?.image);
  });

  it('have the settings of infra: RabbitMQ and MongoDB', () => {
    const [cluster] = find(servers, 'RabbitmqCluster');
    const { spec } = z
      .looseObject({ spec: z.looseObject({ image: z.string(), rabbitmq: z.object({ additionalConfig: z.string() }) }) })
      .parse(cluster);
    const own = ['lobbystats', 'cluster'].flatMap((name) => read(`infra/rabbitmq/${name}.conf`).split('\n'));
    expect(
      spec.rabbitmq.additionalConfig
        .trim()
        .split('\n')
        .filter((line) => !own.includes(line)),
    ).toEqual([]);
    expect(spec.image).toBe(compose.get('rabbitmq')?.image);
    const parameters = [...read('infra/mongodb/entrypoint.sh').matchAll(/--setParameter (\w+)=(\d+)/g)];
    const expected = parameters.map(([, name = '', value]) => [`setParameter.${name}`, Number(value)]);
    const [, oplogMb] = /size: Double\((\d+)\)/.exec(read('infra/mongodb/healthy.js')) ?? [];
    expect(find(servers, 'MongoDBCommunity')).toMatchObject([
      {
        spec: {
          additionalMongodConfig: {
            ...Object.fromEntries(expected),
            'replication.oplogSizeMB': Number(oplogMb),
          } as object,
        },
      },
    ]);
  });

  it('are two instances of InfluxDB on request, with addresses and policies of their own', () => {
    const pair = renderChart('lobbystats-servers', { influxdb: { instances: 2 } });
    for (const kind of ['StatefulSet', 'Service', 'NetworkPolicy']) {
      // A policy is for the pods of its server: `-server` keeps its name apart from those of the chart lobbystats.
      const names = find(pair, kind).map(({ metadata }) => metadata.name.replace(/-server$/, ''));
      expect(names).toEqual(expect.arrayContaining(['lobbystats-influxdb', 'lobbystats-influxdb-2']));
    }
  });

  it('are at the addresses that the chart lobbystats uses by default', () => {
    const { rabbitmq, influxdb, mongodb } = z
      .looseObject({
        rabbitmq: z.looseObject({ url: z.string() }),
        influxdb: z.looseObject({ url: z.string() }),
        mongodb: z.looseObject({ url: z.string(), options: z.string() }),
      })
      .parse(parse(read('infra/helm/lobbystats/values.yaml')));
    const nameOf = (kind: string) => find(servers, kind)[0]?.metadata.name ?? '';
    expect(rabbitmq.url).toBe(`amqp://${nameOf('RabbitmqCluster')}:5672`);
    expect(influxdb.url).toBe(`http://${nameOf('StatefulSet')}:8086`);
    const database = nameOf('MongoDBCommunity');
    const members = [0, 1, 2].map((member) => `${database}-${member}.${database}-svc:27017`);
    expect(mongodb).toMatchObject({ url: `mongodb://${members.join(',')}`, options: `replicaSet=${database}` });
  });
});
