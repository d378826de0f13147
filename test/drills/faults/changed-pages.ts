import { formatTimestamp, operations } from '@lobbystats/contracts';
import { eventually } from '@lobbystats/test-kit';
import { expect } from 'expect';
import { setFaults } from '../../../services/standalone/test/site-sessions.ts';
import type { SharedDrill } from '../drill.ts';
import { readMetric } from '../stages/read-metric.ts';
import type { Stage } from '../stages/stage.ts';
import { until } from './broken-server.ts';
import { nextSlot } from './slots.ts';

/** A slot is given up two minutes in; what was seen of it is there soon after. */
const SETTLED_SECONDS = 150;

export const changedPages: SharedDrill = {
  number: 10,
  name: 'the network’s pages are changed, or cut',
  on: 'either',
  isFault: true,
  run: async (stage) => {
    const mark = stage.markLog();
    const failedBefore = await notUnderstood(stage);
    const slot = await nextSlot();
    try {
      await setFaults(stage.networkUrl, [
        { path: '/games', kind: 'markup', severity: 'breaking' },
        { path: '/', kind: 'truncate', ends: 'cleanly', times: 2 },
      ]);
      await until((slot + SETTLED_SECONDS) * 1000);
    } finally {
      await setFaults(stage.networkUrl, []);
    }
    const time = formatTimestamp(slot);
    const lobbies = (await stage.ask(`${operations.getLobbySeries.path}?days=1`)).body as {
      recorded_at: string;
      lobby_count: number;
    }[];
    const online = (await stage.ask(`${operations.getOnlineSeries.path}?days=1`)).body as {
      recorded_at: string;
      online_count: number;
    }[];
    expect(lobbies.filter(({ recorded_at }) => recorded_at === time)).toEqual([]);
    const seen = online.find(({ recorded_at }) => recorded_at === time)?.online_count;
    expect(seen).not.toBe(0);
    const failed = await eventually(
      async () => {
        const count = (await notUnderstood(stage)) - failedBefore;
        expect(count).toBeGreaterThan(0);
        return count;
      },
      { timeoutMs: 10_000 },
    );
    const samples = (await stage.logs(mark))
      .split('\n')
      .filter((line) => line.includes('"a page could not be had"') && line.includes('"sample"'));
    expect(samples.length).toBeGreaterThan(0);
    return [
      `slot ${time}: ${seen ?? 'no'} online, no lobby count, no zero; ${failed} pages counted as not understood, ${samples.length} logged with a sample`,
    ];
  },
};

async function notUnderstood(stage: Stage): Promise<number> {
  return readMetric(await stage.metrics('collector'), 'lobbystats_pages_total', { outcome: 'not-understood' });
}
