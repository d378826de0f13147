import type { Lock, LockedPackage } from './complete-lock.ts';

/** Lock entries without a strong hash, by path. */
export function unhashedEntries({ packages }: Lock): Map<string, LockedPackage> {
  return new Map(
    Object.entries(packages).filter(
      ([path, { link, integrity }]) => path.includes('node_modules/') && link !== true && !isStrong(integrity),
    ),
  );
}

/** Faults of a lock file. Exactly the listed optional builds may lack a hash. */
export function integrityFaults(lock: Lock, allowed: readonly string[]): string[] {
  const unhashed = unhashedEntries(lock);
  const names = new Set([...unhashed.keys()].map(packageName));
  return [
    ...[...unhashed]
      .filter(([path, { optional }]) => optional !== true || !allowed.includes(packageName(path)))
      .map(([path]) => `${path} has no sha512 integrity hash`),
    ...allowed
      .filter((name) => !names.has(name))
      .map((name) => `${name} has a hash or is no longer used: remove it from unhashed-builds.ts`),
  ];
}

/**
 * Adds the hashes of the registry to entries without one.
 *
 * @param hashOf the `dist.integrity` of `name@version`; undefined if the registry has none
 */
export async function fillHashes<L extends Lock>(
  lock: L,
  hashOf: (spec: string) => Promise<string | undefined>,
): Promise<L> {
  const packages = { ...lock.packages };
  for (const [path, { version, ...entry }] of unhashedEntries(lock)) {
    const integrity = await hashOf(`${packageName(path)}@${version ?? ''}`);
    if (integrity !== undefined) packages[path] = { ...(version !== undefined && { version }), integrity, ...entry };
  }
  return { ...lock, packages };
}

function isStrong(integrity: string | undefined): boolean {
  return integrity?.startsWith('sha512-') ?? false;
}

function packageName(path: string): string {
  return path.replace(/^.*node_modules\//, '');
}
