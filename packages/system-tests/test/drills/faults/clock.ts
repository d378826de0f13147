import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operations, SLOT_SECONDS } from '@lobbystats/contracts';
import { createSimulator } from '@lobbystats/simulator';
import { eventually, getJson } from '@lobbystats/test-kit';
import { expect } from 'expect';
import { waitForSlot } from '../../standalone/run-through-hour.ts';
import { expectSiteSeries, simulatedSlots } from '../../standalone/expect-series.ts';
import { systemEnv } from '../../standalone/run-system.ts';
import { freePorts } from '@lobbystats/test-kit/free-ports';
import type { SelfContainedDrill } from '../drill.ts';
import { readMetric } from '../stages/read-metric.ts';
import { startProcess } from '../stages/service-process.ts';

const FIRST = Date.parse('2026-01-31T12:00:00Z') / 1000;
const TEN_MINUTES_SECONDS = 600;
const SLOT_OFFSET_SECONDS = 5;

/** A system with a controllable clock; the network has its own clock. */
export const clock: SelfContainedDrill = {
  number: 9,
  name: 'the clock is ten minutes off, and is set back',
  on: 'its own',
  run: async () => {
    let networkNow = FIRST + SLOT_OFFSET_SECONDS;
    const simulator = createSimulator({
      clock: () => networkNow * 1000,
      ...{ titles: 10, openMatches: 4, players: 100, boards: 0, entries: 0 },
    });
    const { url: networkUrl } = await simulator.start();
    const directory = mkdtempSync(join(tmpdir(), 'lobbystats-drill-'));
    const [metricsPort = 0] = await freePorts(1);
    const system = startProcess('packages/system-tests/test/standalone/fixtures/run-system-main.ts', {
      env: systemEnv(directory, networkUrl, {
        NETWORK_CLOCK_TOLERANCE_SECONDS: '1',
        METRICS_PORT: String(metricsPort),
      }),
      args: [String(networkNow * 1000)],
    });
    const setOwn = (seconds: number): void => void system.child.stdin?.write(`${seconds * 1000}\n`);
    const wrongDates = async (): Promise<number> => {
      const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      return readMetric(text, 'lobbystats_pages_total', { outcome: 'wrong-date' });
    };
    try {
      const url = await system.waitForOutput(/"url":"([^"]+)"/);
      /** Lets both clocks, the second one that much off, live through a slot; waits until it is there, or its pages were seen to be of another time. */
      const live = async (slot: number, offNetwork: number): Promise<void> => {
        const before = await wrongDates();
        networkNow = slot + SLOT_OFFSET_SECONDS + offNetwork;
        setOwn(slot + SLOT_OFFSET_SECONDS);
        if (offNetwork === 0) {
          await waitForSlot(url, slot);
          return;
        }
        await eventually(async () => expect(await wrongDates()).toBeGreaterThan(before), {
          timeoutMs: 60_000,
          everyMs: 200,
        });
      };
      await live(FIRST, 0);
      await live(FIRST + SLOT_SECONDS, TEN_MINUTES_SECONDS);
      await live(FIRST + 2 * SLOT_SECONDS, -TEN_MINUTES_SECONDS);
      await live(FIRST + 3 * SLOT_SECONDS, 0);
      // Both clocks go back: stored slots do not change, and none is stored twice.
      const fetchSeries = async () =>
        (await getJson<{ recorded_at: string }[]>(`${url}${operations.getOnlineSeries.path}?days=1`)).body;
      const before = JSON.stringify(await fetchSeries());
      networkNow = FIRST + SLOT_OFFSET_SECONDS;
      setOwn(FIRST + SLOT_OFFSET_SECONDS);
      await live(FIRST + 4 * SLOT_SECONDS, 0);
      const after = await fetchSeries();
      expect(JSON.stringify(after.slice(0, -1))).toBe(before);
      const times = await expectSiteSeries(url, simulatedSlots(simulator.world, FIRST, FIRST + 4 * SLOT_SECONDS));
      expect(times.every((time) => (Date.parse(`${time}Z`) / 1000) % SLOT_SECONDS === 0)).toBe(true);
      expect(system.isRunning()).toBe(true);
      return [
        `slots told: ${times.map((time) => time.slice(11, 16)).join(', ')}, aligned, each once and as it was`,
        'with the network ten minutes ahead or behind no slot was taken; after both clocks went back nothing had changed',
      ];
    } finally {
      await system.stop('SIGKILL');
      await simulator.stop();
      rmSync(directory, { recursive: true, force: true });
    }
  },
};
