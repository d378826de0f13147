import type { ComposeProject } from '@lobbystats/test-kit/compose-project';

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
