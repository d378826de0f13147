import { spawnSync } from 'node:child_process';

/** The interpreter with the packages of requirements.txt. */
export const PYTHON = process.env['TEST_PYTHON'] ?? 'python3';

/** `describe`, or `describe.skip` with a line that says why, if Python or one of the packages is not installed. */
export function describeWithPython(...packages: readonly string[]): jest.Describe {
  const { status } = spawnSync(PYTHON, ['-c', `import ${packages.join(', ')}`]);
  if (status === 0) return describe;
  const requirements = 'pip install -r packages/system-tests/test/requirements.txt';
  process.stderr.write(`Skipped: ${PYTHON} can't import ${packages.join(', ')} (${requirements})\n`);
  return describe.skip;
}
