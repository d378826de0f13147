import { ComposeProject } from './compose-project.ts';
import { withStack } from './with-stack.ts';

// The suites on the whole stack, as docker compose starts it. It begins with a short past: who needs a longer one starts it afresh.
const PAST = { FILL_DAYS: '3', FILL_PLAYER_DAYS: '2', FILL_REGISTERED_DAYS: '10' };
/** What runs by name alone: it takes minutes. */
const BY_NAME = '/(rolling-restart|standstill)[.]';

await withStack({
  script: 'npm run test:compose',
  config: 'jest.compose.config.js',
  unnamed: ['--testPathIgnorePatterns', '/node_modules/', BY_NAME],
  create: () => ComposeProject.create('lobbystats-stack', PAST),
  begin: async (project) => {
    await project.up('--build');
    const { settings } = project;
    return {
      TEST_PAST: JSON.stringify(PAST),
      TEST_GATEWAY_URL: `http://127.0.0.1:${settings['LISTEN_PORT']}`,
      TEST_SIMULATOR_URL: `http://127.0.0.1:${settings['SIMULATOR_PORT']}`,
    };
  },
});
