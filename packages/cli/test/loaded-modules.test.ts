import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '@lobbystats/test-kit';

const root = join(import.meta.dirname, '../../..');
const LIST_MODULES = `
  import { registerHooks } from 'node:module';
  registerHooks({
    load(url, context, next) {
      if (url.startsWith('file:')) console.error('loaded ' + url);
      return next(url, context);
    },
  });
`;

/** Paths of the modules that a program loads, from the root folder. */
function modulesOf(program: string, ...args: string[]): string[] {
  const preload = `data:text/javascript,${encodeURIComponent(LIST_MODULES)}`;
  const { stderr } = spawnSync(process.execPath, ['--import', preload, join(root, program), ...args], {
    encoding: 'utf8',
    cwd: temporaryDirectory(),
  });
  const urls = [...stderr.matchAll(/^loaded (.+)$/gm)].map((match) => String(match[1]));
  return urls.map((url) => fileURLToPath(url).replace(`${root}/`, ''));
}

/** Those outside of the commands' declarations and commander. */
const further = (paths: readonly string[]) =>
  paths.filter(
    (path) => !/^(packages[/]cli[/]src[/](?:[^/]+|commands[/].*)|node_modules[/]commander[/].*)$/.test(path),
  );

describe('the program loads', () => {
  it.each([['--help'], ['doctor --help'], ['moderate erase --help'], ['dlq --help'], ['simulator --help']])(
    'no module of a command for %s',
    (args) => {
      const loaded = modulesOf('packages/cli/src/main.ts', ...args.split(' '));
      expect(loaded).toContain('packages/cli/src/main.ts');
      expect(further(loaded)).toEqual([]);
    },
  );

  const initModules = ['packages/cli/src/provision/env-file/env-file.ts'];

  it('no driver for init', () => {
    expect(further(modulesOf('packages/cli/src/main.ts', 'init')).sort()).toEqual(initModules);
  });

  it('no installed package for npm run init', () => {
    const loaded = modulesOf('packages/cli/src/provision/env-file/main.ts');
    expect(loaded.sort()).toEqual([...initModules, 'packages/cli/src/provision/env-file/main.ts'].sort());
  });
});
