import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryDirectory } from '@lobbystats/test-kit';
import { git, REPOSITORY } from '../upgrade/predecessor.ts';
import { linkDependencies } from '../upgrade/release-tree.ts';
import { exampleCommits, type ExampleCommit } from './example-commits.ts';

let tree: string;

beforeAll(() => {
  tree = temporaryDirectory('file');
  for (const file of git('ls-files', '-co', '--exclude-standard').split('\n')) {
    mkdirSync(dirname(join(tree, file)), { recursive: true });
    cpSync(join(REPOSITORY, file), join(tree, file), { recursive: true });
  }
  linkDependencies(tree);
});

function apply({ files, captured = {} }: ExampleCommit): void {
  for (const [file, change] of Object.entries(files)) {
    const path = join(tree, file);
    if (typeof change === 'string') {
      writeFileSync(path, change);
      continue;
    }
    let text = readFileSync(path, 'utf8');
    for (const [old, replacement] of change) {
      expect([file, old, text.split(old).length - 1]).toEqual([file, old, 1]);
      text = text.replace(old, () => replacement);
    }
    writeFileSync(path, text);
  }
  for (const [id, answer] of Object.entries(captured)) {
    const example = { params: {}, query: {}, answer };
    writeFileSync(join(tree, `packages/contracts/src/openapi/examples/${id}.json`), JSON.stringify(example));
  }
}

function run(file: string, ...args: string[]): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], { cwd: tree, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${file} failed: ${stdout}${stderr}`);
}

describe('example commits', () => {
  it.each(exampleCommits)('$name takes at most $maxFiles files', ({ files, maxFiles }) => {
    expect(Object.keys(files).length).toBeLessThanOrEqual(maxFiles);
  });

  it('compile, and print the OpenAPI document, without further changes', () => {
    for (const commit of exampleCommits) apply(commit);
    const compile = () => run(join(REPOSITORY, 'node_modules/@typescript/native/bin/tsc'), '-b', 'services');
    expect(() => run('packages/contracts/src/openapi/main.ts')).not.toThrow();
    expect(compile).not.toThrow();
  });
});
