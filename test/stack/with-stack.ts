import { messageOf } from '@lobbystats/errors';
import { engineFault, shown } from './docker.ts';
import { closeWhenTold } from './when-told.ts';
import type { ComposeProject } from './compose-project.ts';

export interface StackRun {
  /** The npm script, for what is said. */
  script: string;
  config: string;
  create: () => Promise<ComposeProject>;
  /** Brings it up; resolves to what the suites find in their environment. */
  begin: (project: ComposeProject) => Promise<Record<string, string>>;
  /** What Jest is told where the command line names no suites. */
  unnamed?: readonly string[];
}

/** Runs suites on containers that are there for them alone and are gone afterwards, whatever happens. */
export async function withStack({ script, config, create, begin, unnamed = [] }: StackRun): Promise<void> {
  const fault = await engineFault();
  if (fault !== undefined) {
    process.stderr.write(`${script} needs a Docker engine with Compose v2, and there is none here: ${fault}\n`);
    process.exitCode = 1;
    return;
  }
  const project = await create();
  let removing: Promise<void> | undefined;
  const remove = () => (removing ??= project.remove());
  closeWhenTold(remove);
  try {
    const env = await begin(project);
    const named = process.argv.slice(2);
    const jest = ['node_modules/jest/bin/jest.js', '--config', config, ...(named.length > 0 ? named : unnamed)];
    process.exitCode =
      (await shown(process.execPath, jest, { ...env, TEST_STACK: JSON.stringify(project.arguments) })) ?? 1;
  } catch (error) {
    const log = await project.compose('logs', '--tail', '40', '--no-color').catch(messageOf);
    process.stderr.write(`${log}\n${messageOf(error)}\n`);
    process.exitCode = 1;
  } finally {
    await remove();
  }
}
