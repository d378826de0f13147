import { basename, extname } from 'node:path';
import { buildSync, type BuildOptions, type OutputFile } from 'esbuild';

export interface Asset {
  readonly mediaType: string;
  readonly bytes: Buffer;
}

/** Scripts and styles of the pages, bundled, under names that contain their hash. */
export interface Assets {
  /** By path. */
  readonly files: ReadonlyMap<string, Asset>;
  /** The path of an entry such as `site.css` or `page.js`. @throws Error for an unknown one */
  readonly pathOf: (entry: string) => string;
}

const ENTRIES = [
  'islands/page.ts',
  'islands/early.ts',
  'islands/service-worker.ts',
  'islands/docs.ts',
  'islands/widget.ts',
  'style/site.css',
  'style/docs.css',
];
const ASSET_PATH = '/assets';
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.map': 'application/json',
};

let bundled: Assets | undefined;

/**
 * Bundles at the first call: some 100 ms. The bundles have source maps if the process runs with `--enable-source-maps`.
 *
 * @throws Error when the sources or the bundler are missing
 */
export function bundleAssets(directory = import.meta.dirname): Assets {
  bundled ??= bundle(directory);
  return bundled;
}

/**
 * Bundles a package into one ES module without imports.
 *
 * @throws Error when it or the bundler is missing
 */
export function bundleModule(name: string): Buffer {
  return Buffer.from(
    build({ absWorkingDir: import.meta.dirname, entryPoints: [name], outfile: 'module.mjs' })[0]?.contents ?? [],
  );
}

function bundle(directory: string): Assets {
  const outputs = build({
    absWorkingDir: directory,
    entryPoints: ENTRIES,
    splitting: true,
    sourcemap: process.sourceMapsEnabled && 'linked',
    outdir: directory,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
  });
  const files = outputs.map(({ path, contents }) => {
    const mediaType = MEDIA_TYPES[extname(path)] ?? 'application/octet-stream';
    return [`${ASSET_PATH}/${basename(path)}`, { mediaType, bytes: Buffer.from(contents) }] as const;
  });
  const entries = new Map(files.map(([path]) => [withoutHash(path), path]));
  return {
    files: new Map(files),
    pathOf: (entry) => {
      const path = entries.get(`${ASSET_PATH}/${entry}`);
      if (path === undefined) throw new Error(`there is no asset ${entry}`);
      return path;
    },
  };
}

function build(options: BuildOptions): OutputFile[] {
  return buildSync({
    ...options,
    bundle: true,
    format: 'esm',
    target: 'es2023',
    minify: true,
    write: false,
    // Packages that are built for publication export their sources under this condition.
    conditions: ['@lobbystats/source'],
    logLevel: 'silent',
  }).outputFiles;
}

/** `/assets/page-AB12CD34.js` is `/assets/page.js`. */
function withoutHash(path: string): string {
  return path.replace(/-[A-Z0-9]{8}(?=\.\w+$)/, '');
}
