import { messageOf } from '@lobbystats/contracts/errors';
import { engineFault, runInherited } from '@lobbystats/test-kit/docker';
import type { ComposeProject } from '@lobbystats/test-kit/compose-project';

export interface StackRun {
  /** The npm script, for messages. */
  script: string;
  /** Ending of the names of its suites: `NAME.SUFFIX.test.ts`. */
  suffix: 'servers' | 'compose';
  create: () => Promise<ComposeProject>;
  /** Starts the project. Resolves to the environment of the suites. */
  start: (project: ComposeProject) => Promise<Record<string, string>>;
}

const CONFIG = ['--config', 'packages/test-kit/jest/jest.servers.config.js'];
/** Suites on the whole stack run one after the other: some of them stop what others need. */
const OPTIONS = {
  servers: CONFIG,
  compose: ['--runInBand', '--testSequencer', './packages/test-kit/src/jest/stack-sequencer.ts', ...CONFIG],
};

/** Runs suites on their own containers and removes them afterwards in any case. */
export async function withStack({ script, suffix, create, start }: StackRun): Promise<void> {
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
    const jest = ['node_modules/jest/bin/jest.js', '--testMatch', `**/test/**/*.${suffix}.test.ts`, ...OPTIONS[suffix]];
    const all = named.length > 0 && { ALL_SUITES: 'true' };
    process.exitCode =
      (await runInherited(process.execPath, [...jest, ...named], {
        ...env,
        ...all,
        TEST_STACK: JSON.stringify(project.arguments),
      })) ?? 1;
  } catch (error) {
    const log = await project.compose('logs', '--tail', '40', '--no-color').catch(messageOf);
    process.stderr.write(`${log}\n${messageOf(error)}\n`);
    process.exitCode = 1;
  } finally {
    await remove();
  }
}

const closing = new Set<() => Promise<unknown>>();

async function closeAndExit(): Promise<void> {
  await Promise.allSettled([...closing].map((close) => close()));
  process.exit(1);
}

/** Runs `close` on SIGINT or SIGTERM, and exits when all that was passed here is closed. */
function closeOnSignal(close: () => Promise<unknown>): void {
  if (closing.size === 0)
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void closeAndExit());
  closing.add(close);
}
