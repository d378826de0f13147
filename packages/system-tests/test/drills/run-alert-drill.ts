import { eventually } from '@lobbystats/test-kit';
import type { AlertDrill, Measurements } from './drill.ts';
import { whileFaulty } from './inject.ts';
import type { Prometheus } from './stages/prometheus.ts';
import type { StackStage } from './stages/stack-stage.ts';

/** Two slots and a margin. */
const FIRE_WITHIN_MS = 15 * 60_000;
const RESOLVE_WITHIN_MS = 12 * 60_000;
const POLL_MS = 2000;

/** Injects the fault and waits until each alert has fired, then ends it. @throws Error that names those that have not */
export async function runAlertDrill({ alerts, fault }: AlertDrill, stage: StackStage): Promise<Measurements> {
  await waitUntilResolved(stage.prometheus, alerts);
  const began = performance.now();
  const firedAfter = new Map<string, string>();
  const look = async (): Promise<void> => {
    for (const alert of await stage.prometheus.firing()) {
      if (alerts.includes(alert) && !firedAfter.has(alert)) firedAfter.set(alert, secondsSince(began));
    }
    const missing = alerts.filter((alert) => !firedAfter.has(alert));
    if (missing.length > 0) throw new Error(`did not fire: ${missing.join(', ')}`);
  };
  await whileFaulty(stage, fault, () => eventually(look, { timeoutMs: FIRE_WITHIN_MS, everyMs: POLL_MS }));
  return alerts.map((alert) => `${alert} fired after ${String(firedAfter.get(alert))}`);
}

/** Waits until the alerts have resolved. @throws Error that names those that still fire, and rules that can't be evaluated */
export async function checkAlerts(prometheus: Prometheus, alerts: readonly string[]): Promise<void> {
  await waitUntilResolved(prometheus, alerts);
  const broken = await prometheus.brokenRules();
  if (broken.length > 0) throw new Error(`can't be evaluated: ${broken.join('; ')}`);
}

async function waitUntilResolved(prometheus: Prometheus, alerts: readonly string[]): Promise<void> {
  const look = async (): Promise<void> => {
    const firing = await prometheus.firing();
    const left = alerts.filter((alert) => firing.has(alert));
    if (left.length > 0) throw new Error(`still firing: ${left.join(', ')}`);
  };
  await eventually(look, { timeoutMs: RESOLVE_WITHIN_MS, everyMs: POLL_MS });
}

function secondsSince(began: number): string {
  return `${Math.round((performance.now() - began) / 1000)} s`;
}
