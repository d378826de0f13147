import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');
const { version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, string>;

it.each([
  [`refs/tags/v${version}`, 0, `version=${version}\npublish=${String(license !== 'UNLICENSED')}\n`],
  ['refs/heads/main', 0, `version=${version}\npublish=false\n`],
  ['refs/tags/v999.0.0', 1, ''],
])('the release of %s ends with %i: only a tag of the version is published, once there is a licence', (ref, ...as) => {
  const { status, stdout } = spawnSync('bash', [join(root, '.ci/release-guard'), ref], { encoding: 'utf8' });
  expect([status, stdout]).toEqual(as);
});
