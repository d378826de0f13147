import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cleanUp, eventually, temporaryDirectory } from '@lobbystats/test-kit';
import { describeWithPython, PYTHON } from '../describe-with-python.ts';
import { compose, expectBackfilled, publishedUrl } from './stack.ts';

const SCRIPT = join(import.meta.dirname, '../../../../infra/analysts/plots.py');
const PNG = '89504e470d0a1a0a';

const suite = describeWithPython('matplotlib');

suite('infra/analysts/plots.py', () => {
  const draw = async (env: Readonly<Record<string, string>>, ...args: string[]) =>
    promisify(execFile)(PYTHON, [SCRIPT, ...args], { env: { PATH: process.env['PATH'], ...env } });

  it('draws three plots through the analysts’ endpoint with an analyst’s token', async () => {
    await compose('up', '-d', '--wait', '--no-recreate');
    await eventually(expectBackfilled, { timeoutMs: 600_000, everyMs: 1000 });
    const name = `plots-${randomUUID().slice(0, 8)}`;
    const token = await compose('run', '--rm', '-T', 'analyst-token', '--name', name);
    cleanUp(() => compose('run', '--rm', '-T', 'analyst-token', '--revoke', name));
    const directory = temporaryDirectory();
    const env = { INFLUX: await publishedUrl('analysts', 8087), TOKEN: token, MPLCONFIGDIR: directory };
    const { stdout } = await draw(env, '--days', '3', '--out', join(directory, 'plots'));
    const points = Object.fromEntries(
      [...stdout.matchAll(/(\w+)[.]png: (\d+) /g)].map(([, plot, count]) => [plot, Number(count)]),
    );
    expect(points).toEqual({ online: expect.any(Number), games: expect.any(Number), week: expect.any(Number) });
    expect(points.online).toBeGreaterThanOrEqual(72);
    expect(points.games).toBeGreaterThan(10);
    for (const plot of Object.keys(points)) {
      const file = readFileSync(join(directory, 'plots', `${plot}.png`));
      expect(file.subarray(0, 8).toString('hex')).toBe(PNG);
      expect(file.length).toBeGreaterThan(5000);
    }
  });

  it('names what is missing', async () => {
    await expect(draw({ INFLUX: 'http://127.0.0.1:9' })).rejects.toThrow('TOKEN must be set');
  });
});
