import { ComposeProject, simulatorService } from '@lobbystats/test-kit/compose-project';
import { withStack } from './with-stack.ts';

// Runs the suites on the stack of docker compose, with a short backfill of a small network. Each suite starts it unless it runs; suites
// that need an empty one, or a longer backfill, recreate it.
const NETWORK = { titles: 60, boards: 600, entries: 60_000, players: 6000 };
const PAST = { BACKFILL_DAYS: '3' };
await withStack({
  script: 'npm run test:compose',
  suffix: 'compose',
  create: async () => {
    const project = await ComposeProject.create('lobbystats-stack', PAST);
    project.changeServices(simulatorService(NETWORK));
    return project;
  },
  start: async (project) => {
    await project.build();
    return { ...stackEnvironment(project, PAST), TEST_NETWORK: JSON.stringify(NETWORK) };
  },
});

/** The environment of the suites on a stack. */
function stackEnvironment(
  { settings }: ComposeProject,
  past: Readonly<Record<string, string>>,
): Record<string, string> {
  return {
    TEST_PAST: JSON.stringify(past),
    TEST_GATEWAY_URL: `http://127.0.0.1:${settings['LISTEN_PORT']}`,
    TEST_SIMULATOR_URL: `http://127.0.0.1:${settings['SIMULATOR_PORT']}`,
  };
}
