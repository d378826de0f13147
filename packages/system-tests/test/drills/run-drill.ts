import { messageOf } from '@lobbystats/contracts/errors';
import { eventually } from '@lobbystats/test-kit';
import { SkippedError, type Drill, type ExpectedEffects, type Measurements } from './drill.ts';
import { runAlertDrill } from './run-alert-drill.ts';
import type { StackStage } from './stages/stack-stage.ts';
import type { Stage } from './stages/stage.ts';

/** The result of a drill. */
export interface DrillResult {
  readonly number: number;
  readonly name: string;
  readonly verdict: 'passed' | 'failed' | 'left out';
  /** The system of the drill: `stack`, `standalone`, `alerts` or `its own`. */
  readonly on: string;
  /** Measurements, one sentence each; the reason if it was skipped. */
  readonly measured: readonly string[];
  /** Detected faults. */
  readonly faults: readonly string[];
  readonly seconds: number;
}

const MEGABYTE = 1024 * 1024;
const MEMORY_GROWTH_MB = 50;
const HEALTHY_WITHIN_MS = 10_000;
/** A collector and its parser have this much after their first slot, which may begin during any drill. */
const WORKING_MEMORY_MB: Readonly<Record<string, number>> = { collector: 350 };
/** Time for a process to release memory. */
const MEMORY_SETTLES_MS = 30_000;

/** Starts the systems that drills run on. */
export interface StageProviders {
  readonly either: () => Promise<Stage>;
  readonly stack: () => Promise<StackStage>;
}

/** Runs a drill, and judges it by its own rules and, unless it lasts for minutes, by those of all: {@link checkHarm}. */
export async function runDrill(drill: Drill, open: StageProviders): Promise<DrillResult> {
  const { number, name } = drill;
  let began = performance.now();
  const result = (verdict: DrillResult['verdict'], on: string, measured: readonly string[], faults: string[] = []) => ({
    ...{ number, name, verdict, on, measured, faults },
    seconds: Math.round((performance.now() - began) / 100) / 10,
  });
  let on: string = drill.on;
  try {
    if (drill.on === 'its own') return result('passed', on, await drill.run());
    const [stage, run] = await prepare(drill, open);
    // Excludes the start of the system.
    began = performance.now();
    if (drill.on === 'alerts') return result('passed', on, await run());
    on = stage.kind;
    const { measured, faults } = await runAndCheck(stage, run, drill);
    return result(faults.length === 0 ? 'passed' : 'failed', on, measured, faults);
  } catch (error) {
    if (error instanceof SkippedError) return result('left out', on, [error.message]);
    return result('failed', on, [], [messageOf(error)]);
  }
}

async function prepare(
  drill: Exclude<Drill, { on: 'its own' }>,
  open: StageProviders,
): Promise<[Stage, () => Promise<Measurements>]> {
  if (drill.on === 'alerts' || drill.on === 'stack') {
    const stack = await open.stack();
    if (drill.on === 'stack') await drill.prepare?.(stack);
    return [stack, () => (drill.on === 'alerts' ? runAlertDrill(drill, stack) : drill.run(stack))];
  }
  const stage = await open.either();
  return [stage, () => drill.run(stage)];
}

async function runAndCheck(
  stage: Stage,
  run: () => Promise<Measurements>,
  expected: ExpectedEffects,
): Promise<{ measured: string[]; faults: string[] }> {
  await waitUntilHealthy(stage);
  const [memory, incarnations] = await Promise.all([stage.memory(), stage.incarnations()]);
  const before = { memory, incarnations, mark: stage.markLog() };
  const measured: string[] = [];
  const faults: string[] = [];
  try {
    measured.push(...(await run()));
  } catch (error) {
    if (error instanceof SkippedError) throw error;
    faults.push(messageOf(error));
  }
  for (const judge of [waitUntilHealthy, (one: Stage) => checkHarm(expected, one, before)]) {
    try {
      measured.push(await judge(stage));
    } catch (error) {
      faults.push(messageOf(error));
    }
  }
  return { measured, faults };
}

interface Before {
  readonly memory: Readonly<Record<string, number>>;
  readonly incarnations: Readonly<Record<string, string>>;
  readonly mark: string;
}

/**
 * Waits until everything is healthy after the fault.
 *
 * @returns the duration as text
 * @throws Error that names what is unhealthy after 10 s
 */
async function waitUntilHealthy(stage: Stage): Promise<string> {
  const began = performance.now();
  await eventually(
    async () => {
      const unwell = await stage.unhealthy();
      if (unwell.length > 0)
        throw new Error(`not well again within ${HEALTHY_WITHIN_MS / 1000} s: ${unwell.join(', ')}`);
    },
    { timeoutMs: HEALTHY_WITHIN_MS, everyMs: 100 },
  );
  return `well after ${((performance.now() - began) / 1000).toFixed(1)} s`;
}

/**
 * Checks after every drill: no process has restarted or grown by more than 50 MB,
 * and without an injected fault no error was logged.
 */
async function checkHarm(
  { restarts = [], isFault = false }: ExpectedEffects,
  stage: Stage,
  before: Before,
): Promise<string> {
  const [incarnations, log] = await Promise.all([stage.incarnations(), stage.logs(before.mark)]);
  const others = Object.keys(before.incarnations).filter(
    (name) => !restarts.includes(name) && incarnations[name] !== before.incarnations[name],
  );
  if (others.length > 0) throw new Error(`exited or restarted: ${others.join(', ')}`);
  const errors = log.split('\n').filter((line) => line.includes('"level":"error"'));
  if (!isFault && errors.length > 0) throw new Error(`logged an error: ${errors.slice(0, 3).join('\n')}`);
  return eventually(
    async () => {
      const growth = Object.entries(await stage.memory())
        .filter(([name]) => !restarts.includes(name))
        .map(([name, bytes]) => {
          const usual = Math.max(before.memory[name] ?? bytes, (WORKING_MEMORY_MB[name] ?? 0) * MEGABYTE);
          return { name, mb: Math.round((bytes - usual) / MEGABYTE) };
        })
        .toSorted((one, other) => other.mb - one.mb);
      const [most] = growth;
      if (most === undefined) return 'memory: none measured';
      if (most.mb > MEMORY_GROWTH_MB) throw new Error(`${most.name} has ${most.mb} MB more than before`);
      return `memory ${most.mb < 0 ? '' : '+'}${most.mb} MB`;
    },
    { timeoutMs: MEMORY_SETTLES_MS, everyMs: 1000 },
  );
}
