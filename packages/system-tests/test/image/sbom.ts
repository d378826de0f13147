import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { z } from 'zod';
import { productionPackages, readLock } from '../lockfile/read-lock.ts';

const ROOT = join(import.meta.dirname, '../../../..');

const bom = z.looseObject({
  metadata: z.looseObject({ component: z.looseObject({ 'bom-ref': z.string(), name: z.string() }) }),
  components: z.array(z.looseObject({ 'bom-ref': z.string(), name: z.string(), version: z.string() })),
  dependencies: z.array(z.looseObject({ ref: z.string(), dependsOn: z.array(z.string()) })),
});

/** A bill of materials as CycloneDX JSON. */
export type Bom = z.output<typeof bom>;

/**
 * Lists the npm packages of the image by `npm sbom`. Its `--omit=dev` also leaves out packages that any workspace needs for development,
 * such as express, so the lock file decides here, as it does for `npm ci --omit=dev --omit=optional`.
 */
export function createSbom(): Bom {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only'];
  const all = bom.parse(JSON.parse(execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 26 })));
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

/** `name@version` of each package that the image installs from the registry. */
function installedPackages(): Set<string> {
  return new Set(
    productionPackages(readLock()).map(
      ([path, { name, version }]) => `${name ?? path.replace(/^.*node_modules\//, '')}@${version ?? ''}`,
    ),
  );
}
