import { messageOf } from '@lobbystats/errors';
import { eventually } from '@lobbystats/test-kit';
import type { AlertFault, AlertStage } from './alert-fault.ts';

/** What became of an alert. */
export interface AlertResult {
  readonly alert: string;
  readonly fault: string;
  /** From the beginning of the fault on, in seconds; undefined: it did not fire. */
  readonly firedAfter: number | undefined;
  /** From the end of the fault on, in seconds; undefined: it did not become quiet. */
  readonly quietAfter: number | undefined;
  /** What else went wrong. */
  readonly trouble: string | undefined;
}

/** Two slots, and what comes after them. */
const FIRES_WITHIN_MS = 15 * 60_000;
const QUIET_WITHIN_MS = 12 * 60_000;
const LOOKS_MS = 2000;

/**
 * Breaks something, waits until each alert has fired, mends it, and goes on waiting for quiet beside whatever comes next.
 *
 * @returns resolves when the fault is mended, to what resolves when all is quiet
 */
export async function runFault(
  { name, raises, begin }: AlertFault,
  stage: AlertStage,
): Promise<{ quiet: Promise<AlertResult[]> }> {
  await untilQuiet(stage, raises);
  const fired = new Map<string, number>();
  let trouble: string | undefined;
  const began = performance.now();
  try {
    await using mending = new AsyncDisposableStack();
    await begin(stage, mending);
    await untilFired(stage, raises, (alert) => fired.set(alert, secondsSince(began)));
  } catch (error) {
    trouble = messageOf(error);
  }
  const mended = performance.now();
  const quiet = raises.map(async (alert) => {
    const isQuiet = await untilQuiet(stage, [alert]).then(
      () => true,
      () => false,
    );
    const quietAfter = isQuiet ? secondsSince(mended) : undefined;
    return { alert, fault: name, firedAfter: fired.get(alert), quietAfter, trouble };
  });
  return { quiet: Promise.all(quiet) };
}

/** @throws Error that names those that have not fired in time */
async function untilFired(
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
  await eventually(look, { timeoutMs: FIRES_WITHIN_MS, everyMs: LOOKS_MS });
}

async function untilQuiet({ prometheus }: AlertStage, alerts: readonly string[]): Promise<void> {
  const look = async () => {
    const firing = await prometheus.firing();
    const loud = alerts.filter((alert) => firing.has(alert));
    if (loud.length > 0) throw new Error(`fires already: ${loud.join(', ')}`);
  };
  await eventually(look, { timeoutMs: QUIET_WITHIN_MS, everyMs: LOOKS_MS });
}

function secondsSince(began: number): number {
  return Math.round((performance.now() - began) / 1000);
}
