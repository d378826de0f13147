import { operations, parseInstant, SLOT_SECONDS, type OperationResponse } from '@lobbystats/contracts';
import { eventually, getJson } from '@lobbystats/test-kit';
import { deadLetters } from '../faults/dead-letters.ts';
import { PAST } from '../faults/expect-backfill.ts';
import { whileFaulty } from '../faults/inject.ts';
import { expectHealthyServices, expectUnharmed, observeContainers } from '../faults/observe-services.ts';
import { FAULTS } from '../faults/table.ts';
import { expectSiteSeries, simulatedSlots } from '../standalone/expect-series.ts';
import { compose, expectBackfilled, gatewayUrl, publishedUrl, recreateStack, stack, world } from './stack.ts';
import { z } from 'zod';

const alertsResponse = z.object({
  data: z.object({
    alerts: z.array(z.object({ labels: z.looseObject({ alertname: z.string() }), state: z.string() })),
  }),
});

/** Names of the firing alerts: https://prometheus.io/docs/prometheus/latest/querying/api/#alerts */
async function firingAlerts(prometheusUrl: string): Promise<Set<string>> {
  const { data } = alertsResponse.parse(await (await fetch(`${prometheusUrl}/api/v1/alerts`)).json());
  return new Set(data.alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname));
}

/** The longest windows and waits of the alerts of the table, and a margin. */
const ALERTS = { timeoutMs: 420_000, everyMs: 1000 };
const LONG = 3_000_000;
const withPrometheus = (...args: string[]) => compose('--profile', 'observability', ...args);
let prometheus: string;

beforeAll(async () => {
  await recreateStack(PAST);
  await withPrometheus('up', '-d', '--wait', '--no-build', '--no-deps', 'prometheus');
  prometheus = await publishedUrl('prometheus', 9090);
}, LONG);
afterAll(() => withPrometheus('rm', '-sf', 'prometheus'));

/** The times of all stored slots. */
async function storedTimes(): Promise<string[]> {
  const { status, body } = await getJson<OperationResponse<typeof operations.getOnlineSeries>>(
    `${gatewayUrl}${operations.getOnlineSeries.path}?days=30`,
  );
  expect(status).toBe(200);
  return body.map(({ recorded_at }) => recorded_at);
}

/** Fails unless every slot that was stored before the fault still is, and each stored one is as the network had it. */
async function expectStoredSlots(before: readonly string[]): Promise<void> {
  const first = parseInstant(String((await storedTimes())[0]));
  const truth = simulatedSlots(world, first - (first % SLOT_SECONDS), Math.floor(Date.now() / 1000));
  expect(await expectSiteSeries(gatewayUrl, truth)).toEqual(
    expect.arrayContaining(before.filter((time) => truth.has(time))),
  );
}

it.each(FAULTS.map((row) => [row.name, row] as const))(
  'the stack survives: %s',
  async (_name, row) => {
    const { fault, expectations, alerts = [], restarts = [], isDuringBackfill = false } = row;
    if (!isDuringBackfill) {
      await eventually(expectBackfilled, { timeoutMs: LONG, everyMs: 1000 });
      await expectHealthyServices();
    }
    await using resources = new AsyncDisposableStack();
    const { during, after } = await expectations(resources);
    const [slots, containers] = [isDuringBackfill ? [] : await storedTimes(), await observeContainers()];
    await whileFaulty(stack, fault, () =>
      eventually(async () => {
        await during?.();
        const firing = await firingAlerts(prometheus);
        expect(alerts.filter((alert) => !firing.has(alert))).toEqual([]);
      }, ALERTS),
    );
    await expectHealthyServices();
    await after?.();
    await eventually(() => expectStoredSlots(slots), { everyMs: 1000 });
    expect(await deadLetters(stack)).toEqual([]);
    await expectUnharmed(containers, restarts);
  },
  LONG,
);

it(
  'alerts resolve after their faults',
  async () => {
    const alerts = FAULTS.flatMap((row) => row.alerts ?? []);
    await eventually(async () => {
      const firing = await firingAlerts(prometheus);
      expect(alerts.filter((alert) => firing.has(alert))).toEqual([]);
    }, ALERTS);
  },
  LONG,
);
