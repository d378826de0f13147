import type { Fault } from './inject.ts';
import type { StackStage } from './stages/stack-stage.ts';
import type { Stage } from './stages/stage.ts';

/** Measurements of a drill, one sentence each. */
export type Measurements = readonly string[];

interface DrillInfo {
  /** As in the list of drills. */
  readonly number: number;
  readonly name: string;
  /** Whether it belongs to the short set, which is run with every change. */
  readonly isShort?: boolean;
  /** True: it runs only when its number is given, because it needs an idle machine. */
  readonly isAlone?: boolean;
}

/** Effects that the runner accepts when it checks a system after a drill. */
export interface ExpectedEffects {
  /** The services that it restarts. */
  readonly restarts?: readonly string[];
  /** Whether it injects a fault: errors in the log are expected then. */
  readonly isFault?: boolean;
}

/** A drill on either kind of system; the runner checks it. */
export interface SharedDrill extends DrillInfo, ExpectedEffects {
  readonly on: 'either';
  /** @throws Error that describes the harm; `SkippedError` when it can't run here */
  readonly run: (stage: Stage) => Promise<Measurements>;
}

/** A drill that breaks servers; the runner checks it. */
export interface StackDrill extends DrillInfo, ExpectedEffects {
  readonly on: 'stack';
  /** Brings processes to the memory that they work with, before it is measured. */
  readonly prepare?: (stage: StackStage) => Promise<unknown>;
  readonly run: (stage: StackStage) => Promise<Measurements>;
}

/** A fault that lasts until its alerts fire; they resolve after it. */
export interface AlertDrill extends DrillInfo {
  readonly on: 'alerts';
  /** No other drill has them. */
  readonly alerts: readonly string[];
  readonly fault: Fault<StackStage>;
}

/** A drill that starts and checks its own processes. */
export interface SelfContainedDrill extends DrillInfo {
  readonly on: 'its own';
  readonly run: () => Promise<Measurements>;
}

export type Drill = SharedDrill | StackDrill | AlertDrill | SelfContainedDrill;

/** The reason why a drill can't run here. */
export class SkippedError extends Error {
  override readonly name = 'SkippedError';
}
