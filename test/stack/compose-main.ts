import { ComposeProject } from './compose-project.ts';
import { withStack } from './with-stack.ts';

// The suites on the whole stack, as docker compose starts it.
// The whole past: long enough for faults to fall into its coming in.
const FILL_DAYS = '30';

await withStack({
  script: 'npm run test:compose',
  config: 'jest.compose.config.js',
  create: () => ComposeProject.create('lobbystats-stack', { FILL_DAYS, FILL_REGISTERED_DAYS: '10' }),
  begin: async (project) => {
    await project.up('--build');
    const { settings } = project;
    return {
      TEST_FILL_DAYS: FILL_DAYS,
      TEST_GATEWAY_URL: `http://127.0.0.1:${settings['LISTEN_PORT']}`,
      TEST_SIMULATOR_URL: `http://127.0.0.1:${settings['SIMULATOR_PORT']}`,
    };
  },
});
