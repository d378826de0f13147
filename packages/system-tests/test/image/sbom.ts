import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';

const ROOT = join(import.meta.dirname, '../../../..');

const bom = z.looseObject({
  metadata: z.looseObject({ component: z.looseObject({ 'bom-ref': z.string(), name: z.string() }) }),
  components: z.array(z.looseObject({ 'bom-ref': z.string(), name: z.string(), version: z.string() })),
  dependencies: z.array(z.looseObject({ ref: z.string(), dependsOn: z.array(z.string()) })),
});

/** The tree of `npm ls`. */
interface NpmList {
  readonly version?: string | undefined;
  readonly dependencies?: Readonly<Record<string, NpmList>> | undefined;
}

const npmList: z.ZodType<NpmList> = z.looseObject({
  version: z.string().optional(),
  dependencies: z
    .record(
      z.string(),
      z.lazy(() => npmList),
    )
    .optional(),
});

const oneOrMore = z.union([z.string(), z.array(z.string())]);
const lock = z.object({
  packages: z.record(
    z.string(),
    z.looseObject({
      name: z.string().optional(),
      version: z.string().optional(),
      link: z.boolean().default(false),
      dev: z.boolean().default(false),
      optional: z.boolean().default(false),
      os: oneOrMore.optional(),
      cpu: oneOrMore.optional(),
    }),
  ),
});

/** A bill of materials as CycloneDX JSON. */
export type Bom = z.output<typeof bom>;

/**
 * Lists the npm packages of the image by `npm sbom`. Its `--omit=dev` also leaves out packages that any workspace needs for development,
 * such as express, so `npm ls` and the lock file decide here.
 */
export function createSbom(): Bom {
  const all = bom.parse(runNpm('sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'));
  const installed = installedPackages();
  const { metadata } = all;
  const root = metadata.component['bom-ref'];
  const isIncluded = (ref: string) => ref === root || installed.has(ref);
  return {
    ...all,
    // npm takes the name of the directory.
    metadata: { ...metadata, component: { ...metadata.component, name: 'lobbystats' } },
    components: all.components.filter((component) => isIncluded(component['bom-ref'])),
    dependencies: all.dependencies
      .filter(({ ref }) => isIncluded(ref))
      .map((node) => ({ ...node, dependsOn: node.dependsOn.filter(isIncluded) })),
  };
}

/** `name@version` of each package that an image for this machine's processor installs from the registry. */
function installedPackages(): Set<string> {
  const inImage = workspacesOfImage().flatMap((workspace) => ['--workspace', workspace]);
  const needed = new Set(packagesIn(npmList.parse(runNpm('ls', '--all', '--json', '--omit=dev', ...inImage))));
  // `npm ls` also lists packages that are in the lock for development alone.
  const { packages } = lock.parse(JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')));
  const production = Object.entries(packages)
    .filter(([path, { link, dev }]) => path.includes('node_modules/') && !link && !dev)
    .filter(([, { optional, os, cpu }]) => !optional || (os?.includes('linux') && cpu?.includes(process.arch)))
    .map(([path, { name, version }]) => `${name ?? path.replace(/^.*node_modules\//, '')}@${version ?? ''}`);
  return new Set(production.filter((name) => needed.has(name)));
}

/** Folders of the workspaces that .dockerignore does not exclude. */
function workspacesOfImage(): string[] {
  const excluded = new Set(readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n'));
  const folders = globSync('{packages,services}/*/package.json', { cwd: ROOT }).map((file) => dirname(file));
  return folders.filter((folder) => !excluded.has(folder));
}

function packagesIn({ dependencies = {} }: NpmList): string[] {
  return Object.entries(dependencies).flatMap(([name, node]) => [`${name}@${node.version ?? ''}`, ...packagesIn(node)]);
}

function runNpm(...args: readonly string[]): unknown {
  const options = { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 26 } as const;
  // Without peers: a tool of ours, which no image has, has the name of an optional peer of typescript-eslint, in another version.
  return JSON.parse(execFileSync('npm', [...args, '--package-lock-only', '--legacy-peer-deps'], options));
}
