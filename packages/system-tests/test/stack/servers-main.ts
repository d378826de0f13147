import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { ComposeProject } from '@lobbystats/test-kit/compose-project';
import { withStack } from './with-stack.ts';

/** By server how the names of the suites begin that need it alone. Other suites need all servers. */
const prefixes = { rabbitmq: 'rabbitmq', influxdb: 'influx-', mongodb: 'mongo-' } as const;
const servers = Object.keys(prefixes) as (keyof typeof prefixes)[];

// Runs the suites that need servers: those of docker-compose.yml, on free ports. Only the servers that the named suites need are started.
await withStack({
  script: 'npm run test:servers',
  suffix: 'servers',
  create: () => ComposeProject.create('lobbystats-servers'),
  start: async (project) => {
    const needed = neededServers(process.argv.slice(2));
    await project.up(...needed);
    const { settings } = project;
    const rabbitmq = `admin:${settings['RABBITMQ_ADMIN_PASSWORD']}@127.0.0.1`;
    const variables = {
      rabbitmq: {
        TEST_RABBITMQ_URL: `amqp://${rabbitmq}:${settings['RABBITMQ_PORT']}`,
        TEST_RABBITMQ_MANAGEMENT_URL: `http://${rabbitmq}:${settings['RABBITMQ_MANAGEMENT_PORT']}`,
      },
      influxdb: {
        TEST_INFLUXDB_URL: `http://127.0.0.1:${settings['INFLUXDB_PORT']}`,
        TEST_INFLUXDB_TOKEN: String(settings['INFLUXDB_ADMIN_TOKEN']),
        TEST_INFLUXDB_ORG: 'lobbystats',
      },
      mongodb: {
        TEST_MONGODB_URL: `mongodb://admin:${settings['MONGODB_ADMIN_PASSWORD']}@127.0.0.1:${settings['MONGODB_PORT']}/?directConnection=true`,
      },
    };
    return Object.assign({}, ...needed.map((server) => variables[server])) as Record<string, string>;
  },
});

function neededServers(patterns: readonly string[]): (typeof servers)[number][] {
  const suites = globSync('{packages,services}/*/test/**/*.servers.test.ts')
    .filter((path) => patterns.some((pattern) => new RegExp(pattern, 'i').test(path)))
    .map((path) => servers.find((server) => basename(path).startsWith(prefixes[server])));
  return suites.length === 0 || suites.includes(undefined) ? servers : servers.filter((one) => suites.includes(one));
}
