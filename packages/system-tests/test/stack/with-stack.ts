import { messageOf } from '@lobbystats/contracts/errors';
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
  /** Jest's pattern of the suites when the command line names none. */
  suites?: string;
}

/** Runs suites on their own containers and removes them afterwards in any case. */
export async function withStack({ script, config, create, start, suites = '' }: StackRun): Promise<void> {
  const named = process.argv.slice(2);
  if (named.includes('--help')) {
    process.stdout.write(`${script} [-- PATTERN…]   all suites of this stack, or those whose path has a pattern\n`);
    return;
  }
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
    const jest = ['node_modules/jest/bin/jest.js', '--config', config, ...(named.length > 0 ? named : [suites])];
    const all = named.length > 0 && { ALL_SUITES: 'true' };
    process.exitCode =
      (await runInherited(process.execPath, jest, { ...env, ...all, TEST_STACK: JSON.stringify(project.arguments) })) ??
      1;
  } catch (error) {
    const log = await project.compose('logs', '--tail', '40', '--no-color').catch(messageOf);
    process.stderr.write(`${log}\n${messageOf(error)}\n`);
    process.exitCode = 1;
  } finally {
    await remove();
  }
}
