import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { exampleModules, writeExampleTree } from './architecture/example-tree.ts';

interface Cruise {
  summary: { violations: { from: string; to: string; rule: { name: string } }[]; totalCruised: number };
}

const repository = join(import.meta.dirname, '../../..');
const configuration = join(repository, '.dependency-cruiser.cjs');
const { forbidden: rules } = createRequire(import.meta.filename)(configuration) as { forbidden: { name: string }[] };

describe('import rules', () => {
  let tree: string;
  let broken: Map<string, Set<string>>;

  beforeAll(async () => {
    tree = writeExampleTree();
    broken = violationsByModule(await cruise(tree, ['packages', 'services']));
  });

  afterAll(() => {
    rmSync(tree, { recursive: true, force: true });
  });

  it.each(Object.entries(exampleModules))('report exactly the violations of %s', (path, { breaks }) => {
    expect([...(broken.get(path) ?? [])].sort()).toEqual([...breaks].sort());
  });

  it('are each violated by an example', () => {
    const violatedRules = new Set(Object.values(exampleModules).flatMap(({ breaks }) => breaks));
    expect([...violatedRules].sort()).toEqual([...new Set(rules.map(({ name }) => name))].sort());
  });

  it('are followed by this repository', async () => {
    const { summary } = await cruise(repository, ['packages', 'services']);
    expect(summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`)).toEqual([]);
    expect(summary.totalCruised).toBeGreaterThan(0);
  });
});

function cruise(folder: string, roots: string[]): Promise<Cruise> {
  const program = join(repository, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
  const args = [program, '--config', configuration, '--output-type', 'json', ...roots];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { cwd: folder, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      if (stdout.startsWith('{')) resolve(JSON.parse(stdout) as Cruise);
      else reject(new Error(`dependency-cruiser printed no result for ${folder}: ${stderr}`, { cause: error }));
    });
  });
}

function violationsByModule({ summary }: Cruise): Map<string, Set<string>> {
  const broken = new Map<string, Set<string>>();
  for (const { from, rule } of summary.violations) broken.set(from, (broken.get(from) ?? new Set()).add(rule.name));
  return broken;
}
