import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describeLeftOut, suitesOf } from '../src/jest/left-out.ts';
import { LONG_SUITES, skippedSystemSuites, type SuiteKind } from '../src/jest/suite-kinds.ts';

const kind: SuiteKind = { suffix: 'servers', needs: 'a Docker engine', command: 'npm run test:servers' };

describe('suites skipped by npm test', () => {
  it('are system, browser, clients, charts, servers and compose suites', () => {
    const suffixes = ['system', 'browser', 'clients', 'charts', 'servers', 'compose'];
    expect(LONG_SUITES.map(({ suffix }) => suffix)).toEqual(suffixes);
  });

  it.each([
    [{ chromium: '/usr/bin/chromium', clientTools: true, ci: false }, []],
    [{ chromium: '/usr/bin/chromium', clientTools: false, ci: false }, ['clients']],
    [{ chromium: undefined, clientTools: true, ci: false }, ['browser', 'clients']],
    [{ chromium: undefined, clientTools: true, ci: true }, []],
    [{ chromium: undefined, clientTools: false, ci: true }, ['clients']],
  ])(
    'are skipped by npm run test:system, too, without their programs; on CI a browser is required: %j',
    (found, suffixes) => {
      expect(skippedSystemSuites(found).map(({ suffix }) => suffix)).toEqual(suffixes);
    },
  );

  it('are listed by file, with the reason and the command', () => {
    expect(describeLeftOut([kind], () => ['test/a.servers.test.ts', 'test/b.servers.test.ts'])).toBe(
      'Left out: 2 suites that need a Docker engine (npm run test:servers)\n  test/a.servers.test.ts\n  test/b.servers.test.ts\n',
    );
  });

  it('produce no output when none is skipped', () => {
    expect(describeLeftOut([kind], () => [])).toBe('');
  });

  describe('are found by file name', () => {
    const root = mkdtempSync(join(tmpdir(), 'left-out-'));

    afterAll(() => {
      rmSync(root, { recursive: true });
    });

    it('in packages and services', () => {
      const suites = ['packages/a/test/deep/x.servers.test.ts', 'services/b/test/y.servers.test.ts'];
      const others = [
        'packages/a/test/x.test.ts',
        'services/b/node_modules/c/test/y.servers.test.ts',
        'packages/a/test/servers.test.ts',
        'test/z.servers.test.ts',
      ];
      for (const file of [...suites, ...others]) {
        mkdirSync(dirname(join(root, file)), { recursive: true });
        writeFileSync(join(root, file), '');
      }
      expect(suitesOf(kind, root)).toEqual(suites);
    });
  });
});
