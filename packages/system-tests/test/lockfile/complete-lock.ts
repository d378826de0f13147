/** A package entry of package-lock.json, as far as this tool uses it. */
export interface LockedPackage {
  /** Missing unless it differs from the path. */
  name?: string;
  version?: string;
  integrity?: string;
  /** A workspace of this repository. */
  link?: boolean;
  optionalDependencies?: Record<string, string>;
  dev?: boolean;
  optional?: boolean;
  devOptional?: boolean;
  os?: string | string[];
  cpu?: string | string[];
  libc?: string[];
}

export interface Lock {
  packages: Record<string, LockedPackage>;
}

const SYSTEMS = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32'];
const PROCESSORS = ['arm', 'arm64', 'ia32', 'loong64', 'ppc64', 'riscv64', 's390x', 'x64'];

/** Optional dependencies without an entry, with the entry that npm would write. */
export function missingBuilds({ packages }: Lock): Map<string, LockedPackage> {
  const known = new Set(Object.keys(packages).map((path) => path.replace(/^.*node_modules\//, '')));
  const missing = new Map<string, LockedPackage>();
  for (const { optionalDependencies = {}, dev } of Object.values(packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      if (!known.has(name)) missing.set(name, buildEntry(name, version, dev ?? false));
    }
  }
  return missing;
}

/**
 * The lock with an entry for every platform's build.
 *
 * npm leaves a build out of the lock where the registry doesn't have it, as mirrors don't. Then macOS and Windows could
 * not install it, and npm from 11.21 on refuses `npm ci` on every system: "Missing: … from lock file".
 */
export function completeLock<L extends Lock>(lock: L): L {
  const added = [...missingBuilds(lock)].map(([name, entry]) => [`node_modules/${name}`, entry] as const);
  const entries = [...Object.entries(lock.packages), ...added];
  entries.sort(([a], [b]) => a.localeCompare(b, 'en'));
  return { ...lock, packages: Object.fromEntries(entries) };
}

function buildEntry(name: string, version: string, dev: boolean): LockedPackage {
  const words = name.split(/[/-]/);
  const os = SYSTEMS.filter((system) => words.includes(system));
  const cpu = PROCESSORS.filter((processor) => words.includes(processor));
  if (os.length !== 1 || cpu.length !== 1 || !/^\d+\.\d+\.\d+/.test(version)) {
    throw new Error(`The name of ${name}@${version} contains no known platform: add it to package-lock.json by hand`);
  }
  const libc = words.some((word) => word.startsWith('musl')) ? ['musl'] : gnu(words, os);
  return { version, cpu, ...(dev && { dev }), ...(libc && { libc }), optional: true, os };
}

function gnu(words: string[], os: string[]): string[] | undefined {
  return os.includes('linux') && words.some((word) => word.startsWith('gnu')) ? ['glibc'] : undefined;
}
