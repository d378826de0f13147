import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const bundler = join(import.meta.dirname, '../src/bundle-assets.ts');
const LIST = `import { bundleAssets } from ${JSON.stringify(bundler)}; console.log([...bundleAssets().files.keys()].join('\\n'));`;

async function assetPaths(...options: string[]): Promise<string[]> {
  const { stdout } = await run(process.execPath, [...options, '--input-type=module', '--eval', LIST]);
  return stdout.trim().split('\n');
}

describe('bundled scripts and styles', () => {
  it('have source maps beside them with --enable-source-maps, as in npm run dev', async () => {
    const paths = await assetPaths('--enable-source-maps');
    const bundles = paths.filter((path) => !path.endsWith('.map'));
    expect(bundles.length).toBeGreaterThan(0);
    expect(paths).toEqual(expect.arrayContaining(bundles.map((path) => `${path}.map`)));
  });

  it('have none otherwise', async () => {
    expect((await assetPaths()).filter((path) => path.endsWith('.map'))).toEqual([]);
  });
});
