import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryDirectory } from '@lobbystats/test-kit';

const SCRIPT = join(import.meta.dirname, '../src/process/link-node.cjs');
const isWindows = process.platform === 'win32';
const FILE = isWindows ? 'node.exe' : 'node';
const PLATFORM = `${isWindows ? 'win' : process.platform}-${process.arch}`;

/** Runs the script in a project with these files in node_modules. Returns the path of the link. */
function linkNode(files: readonly string[]): string {
  const project = realpathSync(temporaryDirectory());
  for (const file of files) {
    const path = join(project, 'node_modules', file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, file);
  }
  execFileSync(process.execPath, [SCRIPT], { cwd: project });
  return join(project, 'node_modules/.bin', FILE);
}

describe('link of the installed Node', () => {
  it.each([`node-${PLATFORM}/bin/${FILE}`, `node-bin-${PLATFORM}/bin/${FILE}`])('leads to the build %s', (build) => {
    expect(readFileSync(linkNode(['node-other-x64/bin/node', build]), 'utf8')).toBe(build);
  });

  it('remains when npm has set it', () => {
    const link = linkNode([`.bin/${FILE}`, `node-${PLATFORM}/bin/${FILE}`]);
    expect(readFileSync(link, 'utf8')).toBe(`.bin/${FILE}`);
  });

  it("takes the build's headers away, and nothing else", () => {
    const build = `node-${PLATFORM}`;
    const link = linkNode([`${build}/bin/${FILE}`, `${build}/include/node/v8.h`, 'node-other-x64/include/node/v8.h']);
    const modules = join(dirname(link), '..');
    expect(readdirSync(join(modules, build))).toEqual(['bin']);
    expect(existsSync(join(modules, 'node-other-x64/include/node/v8.h'))).toBe(true);
  });

  it('is missing without a build for this platform', () => {
    expect(existsSync(linkNode(['node-other-x64/bin/node']))).toBe(false);
  });
});
