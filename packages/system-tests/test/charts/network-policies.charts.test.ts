import { readComposeServices, type ComposeService } from './compose-services.ts';
import { createReach } from './network-reach.ts';
import { everything, renderChart } from './render-chart.ts';
import { workloadsOf, type Workload } from './workloads.ts';

const objects = renderChart('lobbystats', everything.lobbystats);
const isReachable = createReach(objects);
const chart = workloadsOf(objects);
const compose = readComposeServices();
const services = [...chart].map(([name, workload]) => [name, workload, compose.get(name)] as const);
const networksOf = (name: string) => compose.get(name)?.networks ?? [];

const namespace = (name: string) => ({ 'kubernetes.io/metadata.name': name });

/** Whether docker-compose.yml lets one service reach another: over a network, or over the gateways' sockets. */
function isConnectedInCompose(from: string, to: string): boolean {
  if (to === 'gateway' && networksOf(from).includes('public')) return true;
  // The two nginx share a network of compose, but don't use it.
  return networksOf(from).some((network) => network !== 'public' && networksOf(to).includes(network));
}

describe('network policies', () => {
  const listening = services.filter(([, { container }]) => container.ports.length > 0);

  it.each(services)(
    'let %s reach the services that it reaches in docker-compose.yml, and no others',
    (from, workload) => {
      const others = listening.filter(([name]) => name !== from);
      const reached = others.filter(([, to]) => isReachable(workload, to, to.container.ports[0]?.containerPort ?? 0));
      const expected = others.filter(([to]) => isConnectedInCompose(from, to));
      expect(reached.map(([name]) => name)).toEqual(expected.map(([name]) => name));
    },
  );

  it.each([
    ['rabbitmq', 5672, /@rabbitmq:5672/],
    ['rabbitmq-management', 15_672, /rabbitmq:15672/],
    ['influxdb', 8086, /influxdb:8086/],
    ['mongodb', 27_017, /mongodb:27017/],
  ])('let only the services that use it reach %s', (_server, port, url) => {
    const server = { labels: {}, namespace: namespace('databases') };
    const reaching = services.filter(([, workload]) => isReachable(workload, server, port)).map(([name]) => name);
    const isUser = (service: ComposeService | undefined) =>
      Object.values(service?.environment ?? {}).some((value) => url.test(value));
    // nginx passes /ping to InfluxDB; doctor asks RabbitMQ.
    const also = { 8086: ['analysts'], 5672: ['init', 'operator'] }[port] ?? [];
    const users = services.filter(([name, , service]) => isUser(service) || also.includes(name)).map(([name]) => name);
    expect(reaching).toEqual(users);
  });

  it('let only the services of the network `outside` reach the Internet', () => {
    for (const address of ['198.51.100.7', '2001:db8::7']) {
      const reaching = services.filter(([, workload]) => isReachable(workload, { address }, 443));
      const expected = services.filter(([name]) => networksOf(name).includes('outside'));
      expect(reaching.map(([name]) => name)).toEqual(expected.map(([name]) => name));
    }
  });

  it.each(['10.0.0.1', '172.20.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', 'fd00::1', 'fe80::1'])(
    'let no service reach the private address %s',
    (address) => {
      const reaching = services.filter(([, workload]) => isReachable(workload, { address }, 443));
      expect(reaching.map(([name]) => name)).toEqual([]);
    },
  );

  it('let other pods of the cluster reach only the public ports, and Prometheus the metrics', () => {
    const stranger = { labels: {}, namespace: namespace('elsewhere') };
    const prometheus = { labels: {}, namespace: namespace('monitoring') };
    const open = (from: typeof stranger) =>
      services.flatMap(([name, workload]) =>
        workload.container.ports
          .filter(({ containerPort }) => isReachable(from, workload, containerPort))
          .map(({ containerPort }) => `${name}:${containerPort}`),
      );
    const publicPorts = ['analysts-tls:8443', 'nginx-tls:8080', 'nginx-tls:8443', 'nginx:8080'];
    expect(open(stranger).sort()).toEqual(publicPorts);
    const metrics = services
      .filter(([, , service]) => 'METRICS_PORT' in (service?.environment ?? {}))
      .map(([name]) => `${name}:9464`);
    expect(open(prometheus).sort()).toEqual([...metrics, 'nginx:9464', ...publicPorts].sort());
  });

  it.each(services)('let %s reach the name server', (_name, workload: Workload) => {
    expect(isReachable(workload, { labels: {}, namespace: namespace('kube-system') }, 53)).toBe(true);
  });
});
