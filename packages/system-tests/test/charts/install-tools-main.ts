import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { CHART_TOOLS_DIRECTORY, chartTools } from '@lobbystats/test-kit';
import { resourceDefinitions } from './resource-definitions.ts';

// Installs the tools of the suites *.charts.test.ts from the package registries. Needs Python 3.10 with pip, and Go 1.26 or newer. Hashes:
// go.sum, requirements.txt and resource-definitions.ts.
const folder = import.meta.dirname;
const run = (program: string, args: readonly string[], cwd: string) =>
  execFileSync(program, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' });

mkdirSync(CHART_TOOLS_DIRECTORY, { recursive: true });
run('go', ['build', '-ldflags=-s -w', '-o', chartTools.helm, 'helm.sh/helm/v4/cmd/helm'], join(folder, 'go'));

// Only its schemas are used.
const target = ['--target', join(CHART_TOOLS_DIRECTORY, 'python'), '--upgrade', '--no-deps', '--only-binary', ':all:'];
const requirements = ['--require-hashes', '--requirement', join(folder, 'requirements.txt')];
run('python3', ['-m', 'pip', 'install', '--quiet', ...target, ...requirements], folder);

// Outside of a module, whose other requirements they would have to fit.
const downloads = resourceDefinitions.flatMap(({ module, sum, files }) => {
  const { Dir, Sum } = JSON.parse(run('go', ['mod', 'download', '-json', module], tmpdir())) as Record<string, string>;
  if (Dir === undefined || Sum !== sum) throw new Error(`${module} has the hash ${Sum}, not ${sum}`);
  return files.map((file) => join(Dir, file));
});
mkdirSync(chartTools.resourceDefinitions, { recursive: true });
for (const file of downloads) copyFileSync(file, join(chartTools.resourceDefinitions, basename(file)));
