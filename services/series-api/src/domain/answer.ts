import type { EpochSeconds } from '@lobbystats/contracts';

/** An operation, as far as its answer goes. */
interface Answering {
  readonly answer: { parse: (value: unknown) => unknown };
}

/** What a use case answers an operation with. */
export interface Answer<Op extends Answering> {
  body: ReturnType<Op['answer']['parse']>;
  /** The newest slot or change that the body was made from. */
  lastModified?: EpochSeconds;
  /** Where the next page begins, when there is one. */
  nextOffset?: number;
}

/** A body and what it was made from: null or undefined when there was nothing yet. */
export function answer<Body>(body: Body, newest: EpochSeconds | null | undefined) {
  return newest === null || newest === undefined ? { body } : { body, lastModified: newest };
}
