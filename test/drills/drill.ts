import type { StackStage } from './stages/stack-stage.ts';
import type { Stage } from './stages/stage.ts';

/** What a drill saw, as a sentence each, with numbers. */
export type Measured = readonly string[];

interface Named {
  /** As in the list of drills. */
  readonly number: number;
  readonly name: string;
  /** Whether it belongs to the short set, which is run with every change. */
  readonly isShort?: boolean;
}

/** What the runner leaves out of account when it judges whether a system took a drill without harm. */
export interface Expected {
  /** The services that it ends and starts again. */
  readonly restarts?: readonly string[];
  /** Whether it breaks something: then errors in the log are what one wants to see. */
  readonly isFault?: boolean;
}

/** A drill on whatever is there: the runner judges it. */
export interface SharedDrill extends Named, Expected {
  readonly on: 'either';
  /** @throws Error that says what should not be; `LeftOut` where it can't be run */
  readonly run: (stage: Stage) => Promise<Measured>;
}

/** A drill that needs servers to break; the runner judges it. */
export interface StackDrill extends Named, Expected {
  readonly on: 'stack';
  readonly run: (stage: StackStage) => Promise<Measured>;
}

/** A drill that brings its own processes, and judges them itself. */
export interface LoneDrill extends Named {
  readonly on: 'its own';
  readonly run: () => Promise<Measured>;
}

export type Drill = SharedDrill | StackDrill | LoneDrill;

/** Says why a drill can't be run here. */
export class LeftOut extends Error {
  override readonly name = 'LeftOut';
}
