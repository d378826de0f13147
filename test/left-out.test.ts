import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describeLeftOut, suitesOf } from './jest/left-out.ts';
import { leftOutKinds, type SuiteKind } from './jest/suite-kinds.ts';

const kind: SuiteKind = { suffix: 'servers', needs: 'a Docker engine', command: 'npm run test:servers' };

describe('what npm test leaves out', () => {
  it('is every suite that needs servers, and browser suites where there is no Chromium', () => {
    const suffixes = (chromium: string | undefined, ci: boolean) =>
      leftOutKinds({ chromium, ci }).map(({ suffix }) => suffix);
    expect(suffixes('/usr/bin/chromium', false)).toEqual(['servers', 'compose']);
    expect(suffixes(undefined, false)).toEqual(['servers', 'compose', 'browser']);
  });

  it('is no browser suite on CI, where a missing Chromium is a failure', () => {
    expect(leftOutKinds({ chromium: undefined, ci: true }).map(({ suffix }) => suffix)).toEqual(['servers', 'compose']);
  });

  it('is named file by file, with the reason and the command', () => {
    expect(describeLeftOut([kind], () => ['test/a.servers.test.ts', 'test/b.servers.test.ts'])).toBe(
      'Left out: 2 suites that need a Docker engine (npm run test:servers)\n  test/a.servers.test.ts\n  test/b.servers.test.ts\n',
    );
  });

  it('is not spoken of where there is nothing', () => {
    expect(describeLeftOut([kind], () => [])).toBe('');
  });

  describe('is found by the name of the file', () => {
    const root = mkdtempSync(join(tmpdir(), 'left-out-'));

    afterAll(() => {
      rmSync(root, { recursive: true });
    });

    it('in the tests of packages and services and in those of the whole', () => {
      const suites = [
        'packages/a/test/deep/x.servers.test.ts',
        'services/b/test/y.servers.test.ts',
        'test/z.servers.test.ts',
      ];
      const others = [
        'packages/a/test/x.test.ts',
        'services/b/node_modules/c/test/y.servers.test.ts',
        'test/servers.test.ts',
      ];
      for (const file of [...suites, ...others]) {
        mkdirSync(dirname(join(root, file)), { recursive: true });
        writeFileSync(join(root, file), '');
      }
      expect(suitesOf(kind, root)).toEqual(suites);
    });
  });
});
