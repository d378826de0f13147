import { messageOf } from '@lobbystats/contracts/errors';
import { eventually } from '@lobbystats/test-kit';
import type { AlertFault, AlertStage } from './alert-fault.ts';

/** The result of one alert. */
export interface AlertResult {
  readonly alert: string;
  readonly fault: string;
  /** Seconds after the start of the fault; undefined: it did not fire. */
  readonly firedAfter: number | undefined;
  /** Seconds after the end of the fault; undefined: it did not resolve. */
  readonly quietAfter: number | undefined;
  /** Error message of the fault itself. */
  readonly error: string | undefined;
}

/** Two slots and a margin. */
const FIRES_WITHIN_MS = 15 * 60_000;
const QUIET_WITHIN_MS = 12 * 60_000;
const POLL_MS = 2000;

/**
 * Starts a fault, waits until each alert has fired, and ends it. Waits for the alerts to resolve in the background.
 *
 * @returns resolves when the fault has ended; `quiet` resolves with the results
 */
export async function runFault(
  { name, raises, start }: AlertFault,
  stage: AlertStage,
): Promise<{ quiet: Promise<AlertResult[]> }> {
  await waitUntilQuiet(stage, raises);
  const fired = new Map<string, number>();
  let trouble: string | undefined;
  const began = performance.now();
  try {
    await using mending = new AsyncDisposableStack();
    await start(stage, mending);
    await waitUntilFired(stage, raises, (alert) => fired.set(alert, secondsSince(began)));
  } catch (error) {
    trouble = messageOf(error);
  }
  const mended = performance.now();
  const quiet = raises.map(async (alert) => {
    const isQuiet = await waitUntilQuiet(stage, [alert]).then(
      () => true,
      () => false,
    );
    const quietAfter = isQuiet ? secondsSince(mended) : undefined;
    return { alert, fault: name, firedAfter: fired.get(alert), quietAfter, error: trouble };
  });
  return { quiet: Promise.all(quiet) };
}

/** @throws Error that names the alerts that have not fired in time */
async function waitUntilFired(
  { prometheus }: AlertStage,
  raises: readonly string[],
  onFired: (alert: string) => void,
): Promise<void> {
  const left = new Set(raises);
  const look = async () => {
    for (const alert of await prometheus.firing()) {
      if (left.delete(alert)) onFired(alert);
    }
    if (left.size > 0) throw new Error(`not fired: ${[...left].join(', ')}`);
  };
  await eventually(look, { timeoutMs: FIRES_WITHIN_MS, everyMs: POLL_MS });
}

async function waitUntilQuiet({ prometheus }: AlertStage, alerts: readonly string[]): Promise<void> {
  const look = async () => {
    const firing = await prometheus.firing();
    const loud = alerts.filter((alert) => firing.has(alert));
    if (loud.length > 0) throw new Error(`still firing: ${loud.join(', ')}`);
  };
  await eventually(look, { timeoutMs: QUIET_WITHIN_MS, everyMs: POLL_MS });
}

function secondsSince(began: number): number {
  return Math.round((performance.now() - began) / 1000);
}
