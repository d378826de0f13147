import { ComposeProject } from '@lobbystats/test-kit/compose-project';
import { withStack } from './with-stack.ts';

// Runs the suites that need servers: those of docker-compose.yml, on free ports.
await withStack({
  script: 'npm run test:servers',
  suffix: 'servers',
  create: () => ComposeProject.create('lobbystats-servers'),
  start: async (project) => {
    await project.up('rabbitmq', 'influxdb', 'mongodb');
    const { settings } = project;
    const rabbitmq = `admin:${settings['RABBITMQ_ADMIN_PASSWORD']}@127.0.0.1`;
    return {
      TEST_RABBITMQ_URL: `amqp://${rabbitmq}:${settings['RABBITMQ_PORT']}`,
      TEST_RABBITMQ_MANAGEMENT_URL: `http://${rabbitmq}:${settings['RABBITMQ_MANAGEMENT_PORT']}`,
      TEST_INFLUXDB_URL: `http://127.0.0.1:${settings['INFLUXDB_PORT']}`,
      TEST_INFLUXDB_TOKEN: String(settings['INFLUXDB_ADMIN_TOKEN']),
      TEST_INFLUXDB_ORG: 'lobbystats',
      TEST_MONGODB_URL: `mongodb://admin:${settings['MONGODB_ADMIN_PASSWORD']}@127.0.0.1:${settings['MONGODB_PORT']}/?directConnection=true`,
    };
  },
});
