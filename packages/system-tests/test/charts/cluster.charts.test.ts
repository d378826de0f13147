import { readClusterEnvironments } from './compose-services.ts';
import { everything, renderChart } from './render-chart.ts';
import { environmentOf, workloadsOf } from './workloads.ts';

// The servers of docker-compose.cluster.yml, by their names there.
const PUBLIC_URL = 'https://stats.example.org';
const hostsOf = (server: string, port: number) => ['', '-2', '-3'].map((node) => `${server}${node}:${port}`).join(',');
const nodes = `http://${hostsOf('rabbitmq', 15_672)}`;
const servers = {
  rabbitmq: { url: `amqp://${hostsOf('rabbitmq', 5672)}`, options: 'heartbeat=1', managementUrl: nodes },
  influxdb: { url: 'http://influxdb:8086', secondUrl: 'http://influxdb-2:8086' },
  mongodb: { url: `mongodb://${hostsOf('mongodb', 27_017)}`, options: 'replicaSet=rs0' },
};
const chart = workloadsOf(renderChart('lobbystats', { ...everything.lobbystats, ...servers }));
const cluster = [...readClusterEnvironments({ PUBLIC_URL })].filter(([name]) => chart.has(name));
// Settings that name servers of which the cluster has several.
const isOfServers = (name: string) =>
  /^(BUS|DATABASE|SERIES|SERIES_API|INFLUXDB|RABBITMQ_MANAGEMENT|[A-Z]+_DATABASE)_URL$|^(SERIES_QUEUE|INFLUX_TOKEN_FILE)$/.test(
    name,
  );
const onlyServers = (environment: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(environment)
      .filter(([name]) => isOfServers(name))
      .map(([name, value]) => [name, value.replaceAll('//lobbystats-', '//')]),
  );

it('the chart has the services of docker-compose.cluster.yml', () => {
  expect(cluster.map(([name]) => name)).toContain('series-api-2');
});

it.each(cluster)('%s has the addresses of servers that docker-compose.cluster.yml gives it', (name, environment) => {
  const workload = chart.get(name);
  expect(onlyServers(workload === undefined ? {} : environmentOf(workload))).toEqual(onlyServers(environment));
});
