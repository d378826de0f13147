import { readComposeServices } from './compose-services.ts';
import { everything, renderChart } from './render-chart.ts';
import { environmentOf, workloadsOf, type Workload } from './workloads.ts';

// Values that make the chart's services equal those of docker-compose.yml: servers by their compose names, the same public URL.
const PUBLIC_URL = 'https://stats.example.org';
const optionalSecrets = {
  DISCORD_BOT_TOKEN: '$(DISCORD_BOT_TOKEN)',
  OTEL_EXPORTER_OTLP_HEADERS: '$(OTEL_EXPORTER_OTLP_HEADERS)',
};
const servers = {
  rabbitmq: { url: 'amqp://rabbitmq:5672', options: '', managementUrl: 'http://rabbitmq:15672' },
  influxdb: { url: 'http://influxdb:8086' },
  mongodb: { url: 'mongodb://mongodb:27017', options: 'replicaSet=rs0' },
};
const compose = readComposeServices({ PUBLIC_URL, ...optionalSecrets });
const chart = workloadsOf(renderChart('lobbystats', { ...everything.lobbystats, ...servers }));

/** Their counterparts: the chart lobbystats-servers, cert-manager, and the cluster's own Prometheus and Grafana. */
const ELSEWHERE = ['acme', 'grafana', 'influxdb', 'mongodb', 'prometheus', 'rabbitmq'];
/** Operators' commands run in them by kubectl exec. */
const TOOLS = ['dlq', 'analyst-token', 'operator', 'moderate'];
const isNginx = (name: string) => /^(nginx|analysts)(-tls)?$/.test(name);

const pairs = [...compose].flatMap(([name, service]) => {
  const workload = chart.get(name);
  return workload === undefined ? [] : [[name, service, workload] as const];
});

it('the chart has the services of docker-compose.yml, except those that a cluster provides', () => {
  expect([...compose.keys()].filter((name) => !chart.has(name)).sort()).toEqual(ELSEWHERE);
  expect([...chart.keys()].filter((name) => !compose.has(name))).toEqual([]);
});

/** Names that differ on purpose, with their reason. */
const differences: Readonly<Record<string, readonly string[]>> = {
  // nginx connects to the gateways' addresses in place of their sockets, so the gateway has to trust these.
  gateway: ['SOCKET_DIRECTORY', 'TRUSTED_PROXIES'],
  // nginx needs the name server and complete names, which Docker's configuration takes from its defaults.
  nginx: ['RESOLVER'],
  'nginx-tls': ['RESOLVER'],
  analysts: ['RESOLVER', 'ANALYST_PROXY', 'INFLUXDB_URL'],
  'analysts-tls': ['RESOLVER', 'ANALYSTS'],
  // Servers of others have administrators and organisations of other names, replica sets, and a cookie of their own.
  init: ['RABBITMQ_COOKIE', 'RABBITMQ_ADMIN_USER', 'INFLUXDB_ORG', 'MONGODB_ADMIN_USER', 'MONGODB_URL'],
  operator: ['RABBITMQ_COOKIE', 'RABBITMQ_ADMIN_USER', 'INFLUXDB_ORG', 'MONGODB_ADMIN_USER', 'MONGODB_URL'],
  'analyst-token': ['INFLUXDB_ORG'],
};

/** Without the chart's prefix of host names, and without variables that only occur in the values of others. */
function comparableEnvironment(workload: Workload, composeNames: readonly string[]): Record<string, string> {
  const environment = environmentOf(workload);
  const values = Object.values(environment);
  const isPart = (name: string, value: string) =>
    value === `$(${name})` &&
    !composeNames.includes(name) &&
    values.some((other) => other.includes(value) && other !== value);
  return Object.fromEntries(
    Object.entries(environment)
      .filter(([name, value]) => !isPart(name, value))
      .map(([name, value]) => [name, value.replaceAll('//lobbystats-', '//')]),
  );
}

describe.each(pairs)('%s', (name, service, workload) => {
  const { container, pod } = workload;

  it('has the environment of docker-compose.yml', () => {
    const without = (environment: Record<string, string>) =>
      Object.fromEntries(Object.entries(environment).filter(([key]) => !differences[name]?.includes(key)));
    const names = Object.keys(service.environment);
    expect(without(comparableEnvironment(workload, names))).toEqual(without(service.environment));
  });

  it('runs the same command', () => {
    const { command } = container;
    // eslint-disable-next-line jest/no-conditional-expect -- The commands of tools are those of operators.
    if (TOOLS.includes(name)) expect([command[0], workload.replicas]).toEqual(['bash', 0]);
    // eslint-disable-next-line jest/no-conditional-expect
    else expect(command).toEqual(service.command);
  });

  it('has the same limit of memory', () => {
    const [, amount, unit] = /^(\d+)([mg])$/.exec(service.mem_limit) ?? [];
    const mebibytes = Number(amount) * (unit === 'g' ? 1024 : 1);
    const { memory = '' } = container.resources.limits;
    expect(memory).toBe(mebibytes % 1024 === 0 ? `${mebibytes / 1024}Gi` : `${mebibytes}Mi`);
  });

  it('is hardened like its container', () => {
    expect(service).toMatchObject({ read_only: true, cap_add: [] });
    expect(container).toMatchObject({
      securityContext: {
        readOnlyRootFilesystem: true,
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
      },
    });
    const user = isNginx(name) ? 101 : 1000;
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: user,
        runAsGroup: user,
        seccompProfile: { type: 'RuntimeDefault' },
      },
      volumes: expect.arrayContaining([{ name: 'tmp', emptyDir: { medium: 'Memory', sizeLimit: '64Mi' } }]) as unknown,
    });
    const sysctls = (pod.securityContext as { sysctls?: { name: string; value: string }[] }).sysctls ?? [];
    expect(Object.fromEntries(sysctls.map((sysctl) => [sysctl.name, sysctl.value]))).toEqual(service.sysctls);
  });

  it('mounts the same volumes', () => {
    const targets = service.volumes
      .map((volume) => volume.split(':'))
      // The sockets of the gateways, challenges of the ACME client, secrets, which a chart has in variables, and
      // the definitions of a clone, which a chart has in the image.
      .filter(([source = '']) => !/^(gateway-sockets|acme-challenges|secrets(-|$)|.*achievements[.]json$)/.test(source))
      .map(([, target = '', mode]) => [target, mode === 'ro']);
    const mounts = container.volumeMounts.filter((mount) => mount.name !== 'tmp');
    expect(mounts.map(({ mountPath, readOnly = false }) => [mountPath, readOnly]).sort()).toEqual(targets.sort());
  });

  it('is checked at the same port and path', () => {
    const checked = service.healthcheck?.disable === true ? undefined : service.healthcheck?.test?.join(' ');
    const { startupProbe, readinessProbe, livenessProbe, ports } = container;
    const numberOf = (port: string | undefined) => ports.find((candidate) => candidate.name === port)?.containerPort;
    const probed = startupProbe ?? readinessProbe;
    const found = {
      port: numberOf(probed?.httpGet?.port ?? probed?.tcpSocket?.port),
      path: probed?.httpGet?.path,
      isAliveChecked: livenessProbe !== undefined,
    };
    expect(found).toEqual(expectedProbe(checked));
  });
});

/** From the check of a container: ready.sh [PORT [PATH]], or a connection. */
function expectedProbe(check: string | undefined) {
  if (check === undefined) return { port: undefined, path: undefined, isAliveChecked: false };
  const tcp = /127[.]0[.]0[.]1[/](\d+)/.exec(check);
  if (tcp !== null) return { port: Number(tcp[1]), path: undefined, isAliveChecked: true };
  const [, port = '8080', path = '/readyz'] = /ready[.]sh(?: (\d+) (\S+))?$/.exec(check) ?? [];
  return { port: Number(port), path, isAliveChecked: true };
}

describe('a service with metrics', () => {
  const measured = pairs.filter(([, { environment }]) => 'METRICS_PORT' in environment);

  it.each(measured)('%s serves them and /healthz at named ports', (_name, { environment }, { container }) => {
    expect(container.ports).toEqual([
      expect.objectContaining({ name: 'http', containerPort: Number(environment['PORT']) }),
      expect.objectContaining({ name: 'metrics', containerPort: Number(environment['METRICS_PORT']) }),
    ]);
    for (const probe of [container.readinessProbe, container.livenessProbe]) {
      expect(probe).toMatchObject({ httpGet: { path: '/healthz', port: 'http' } });
    }
  });
});
