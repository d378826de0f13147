import { messageOf } from '@lobbystats/errors';
import { engineFault, runInherited } from '@lobbystats/test-kit/docker';
import { closeOnSignal } from './close-on-signal.ts';
import type { ComposeProject } from '@lobbystats/test-kit/compose-project';

export interface StackRun {
  /** The npm script, for messages. */
  script: string;
  config: string;
  create: () => Promise<ComposeProject>;
  /** Starts the project. Resolves to the environment of the suites. */
  start: (project: ComposeProject) => Promise<Record<string, string>>;
  /** Jest arguments when the command line names no suites. */
  defaultArgs?: readonly string[];
}

/** Runs suites on their own containers and removes them afterwards in any case. */
export async function withStack({ script, config, create, start, defaultArgs = [] }: StackRun): Promise<void> {
  const fault = await engineFault();
  if (fault !== undefined) {
    process.stderr.write(`${script} needs a Docker engine with Compose v2, and there is none here: ${fault}\n`);
    process.exitCode = 1;
    return;
  }
  const project = await create();
  let removing: Promise<void> | undefined;
  const remove = () => (removing ??= project.remove());
  closeOnSignal(remove);
  try {
    const env = await start(project);
    const named = process.argv.slice(2);
    const jest = ['node_modules/jest/bin/jest.js', '--config', config, ...(named.length > 0 ? named : defaultArgs)];
    process.exitCode =
      (await runInherited(process.execPath, jest, { ...env, TEST_STACK: JSON.stringify(project.arguments) })) ?? 1;
  } catch (error) {
    const log = await project.compose('logs', '--tail', '40', '--no-color').catch(messageOf);
    process.stderr.write(`${log}\n${messageOf(error)}\n`);
    process.exitCode = 1;
  } finally {
    await remove();
  }
}
