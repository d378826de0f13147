import { ComposeProject } from './compose-project.ts';
import { withStack } from './with-stack.ts';

// The suites on the whole stack, as docker compose starts it.
// Long enough for faults to fall into its coming in; a day less than is kept, so that nothing expires meanwhile.
const FILL_DAYS = '29';

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
