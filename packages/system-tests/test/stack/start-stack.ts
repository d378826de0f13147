import type { ComposeProject } from '@lobbystats/test-kit/compose-project';

/** Builds and starts all services. Resolves to the environment of the suites. */
export async function startStack(
  project: ComposeProject,
  past: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  await project.up('--build');
  return stackEnvironment(project, past);
}

/** The environment of the suites on a stack. */
export function stackEnvironment(
  { settings }: ComposeProject,
  past: Readonly<Record<string, string>>,
): Record<string, string> {
  return {
    TEST_PAST: JSON.stringify(past),
    TEST_GATEWAY_URL: `http://127.0.0.1:${settings['LISTEN_PORT']}`,
    TEST_SIMULATOR_URL: `http://127.0.0.1:${settings['SIMULATOR_PORT']}`,
  };
}
