import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { completeLock, missingBuilds, type Lock } from './lockfile/complete-lock.ts';

describe('package-lock.json', () => {
  it('knows the builds for every platform (npm run lock:complete adds them)', () => {
    const lock = JSON.parse(readFileSync(join(import.meta.dirname, '../package-lock.json'), 'utf8')) as Lock;
    expect([...missingBuilds(lock).keys()]).toEqual([]);
  });
});

describe('completeLock', () => {
  const lock = (optionalDependencies: Record<string, string>): Lock => ({
    packages: {
      'node_modules/@swc/core': { optionalDependencies, dev: true },
      'node_modules/zod': { version: '4.0.0' },
    },
  });

  it('adds a build that is missing, in its place, for its platform alone', () => {
    const completed = completeLock(
      lock({ '@swc/core-darwin-arm64': '1.2.3', '@swc/core-linux-arm-musleabihf': '1.2.3' }),
    );
    expect(Object.keys(completed.packages)).toEqual([
      'node_modules/@swc/core',
      'node_modules/@swc/core-darwin-arm64',
      'node_modules/@swc/core-linux-arm-musleabihf',
      'node_modules/zod',
    ]);
    expect(completed.packages).toMatchObject({
      'node_modules/@swc/core-darwin-arm64': {
        version: '1.2.3',
        os: ['darwin'],
        cpu: ['arm64'],
        dev: true,
        optional: true,
      },
      'node_modules/@swc/core-linux-arm-musleabihf': { os: ['linux'], cpu: ['arm'], libc: ['musl'] },
    });
  });

  it('changes nothing that is there', () => {
    const complete = completeLock(lock({ '@swc/core-linux-x64-gnu': '1.2.3' }));
    expect(completeLock(complete)).toEqual(complete);
    expect(missingBuilds(complete).size).toBe(0);
  });

  it('refuses a package whose platform its name does not tell', () => {
    expect(() => completeLock(lock({ 'native-thing': '1.2.3' }))).toThrow('native-thing@1.2.3');
  });
});
