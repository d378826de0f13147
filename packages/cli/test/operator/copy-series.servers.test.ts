import { randomUUID } from 'node:crypto';
import { countPoints, countStored, importLines, influxBuckets, type InfluxAdmin } from '@lobbystats/series-api/admin';
import { copySeries } from '../../src/operator/servers/copy-series.ts';
import { influxAdmins } from '../../src/operator/servers/servers.ts';
import { createTestDeployment } from './test-deployment.ts';

const SLOTS = 12;
const nowMs = Date.now();
const newest = Math.floor(nowMs / 300_000) * 300;

const instant = (slot: number) => `${newest - slot * 300}000000000`;
const slots = Array.from({ length: SLOTS }, (_, slot) => slot);

/** Two organisations of the test server stand in for two servers. */
async function twoServers(): Promise<{ source: InfluxAdmin; target: InfluxAdmin }> {
  const deployments = await Promise.all([createTestDeployment(), createTestDeployment()]);
  const [source, target] = deployments.flatMap(({ servers }) => influxAdmins(servers));
  return { source: source!, target: target! };
}

async function write(admin: InfluxAdmin, kind: 'snapshots' | 'daily', lines: readonly string[]): Promise<void> {
  await importLines(admin, { bucket: influxBuckets[kind], kind, nowMs }, lines);
}

describe('copying the series from one server to another', () => {
  let source: InfluxAdmin;
  let target: InfluxAdmin;
  beforeAll(async () => {
    ({ source, target } = await twoServers());
    const sites = slots.map((slot) => `site online=${100 + slot}i,missing=0i ${instant(slot)}`);
    const titles = slots.map((slot) => `title,titleId=0000000A online=${slot}i ${instant(slot)}`);
    await write(source, 'snapshots', [...sites, ...titles]);
    await write(source, 'daily', [`site_rollup samples=12i ${instant(0)}`, `site_daily registered=5i ${instant(0)}`]);
  });
  const copy = (reportProgress: (text: () => string) => void = () => undefined) =>
    copySeries(source, target, { nowMs, reportProgress });

  it('replaces what the target has, and copies all points', async () => {
    await write(target, 'snapshots', [
      `site online=1i ${instant(50)}`,
      `match_run,titleId=0000000B endedAt=1i ${instant(1)}`,
    ]);
    const progress: string[] = [];
    expect(await copy((text) => progress.push(text()))).toBe(2 * SLOTS + 2);
    expect(progress.at(-1)).toBe('snapshots: 100 %');
    for (const bucket of Object.values(influxBuckets)) {
      expect(await countPoints(target, bucket)).toEqual(await countPoints(source, bucket));
    }
    expect(await countStored(target)).toEqual({ slots: SLOTS, days: 1, registeredDays: 1 });
  });

  it('an interrupted copy has no slot, and a repeated one has all', async () => {
    const interruption = new Error(randomUUID());
    await expect(
      copy((text) => {
        // The titles of all slots are written, and no site.
        if (/^snapshots: [1-9]/.test(text())) throw interruption;
      }),
    ).rejects.toBe(interruption);
    expect(await countStored(target)).toMatchObject({ slots: 0 });
    await copy();
    expect(await countStored(target)).toMatchObject({ slots: SLOTS });
  });
});
