import type { Measure } from './cost.ts';
import type { Scale } from './scale.ts';

/** `standalone`: on SQLite. `distributed`: on the servers that the environment names. `stack`: a compose stack of its own. */
export type Form = 'standalone' | 'distributed' | 'stack';

/** Measures one service at one scale in a process of its own. */
export interface Part {
  readonly forms: readonly Form[];
  run(context: PartContext): Promise<void>;
}

export interface PartContext {
  readonly scale: Scale;
  readonly form: Form;
  readonly measure: Measure;
  readonly say: (line: string) => void;
  /** Disposed after the part. */
  readonly stack: AsyncDisposableStack;
}
