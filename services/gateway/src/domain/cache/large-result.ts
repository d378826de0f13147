import type { LargeAnswer } from '../owners.ts';

/** A large answer that is sent while it comes in. Its length is unknown where it is rendered on the way. */
export type StreamedAnswer = Omit<LargeAnswer, 'length' | 'lastModified' | 'link'> & { readonly length?: number };

/**
 * An answer that is too large to be shared or stored. Its body can be read once: the first caller who takes it has it, the others
 * have to fetch their own.
 */
export class LargeResult {
  readonly headers: Readonly<Record<string, string>>;
  #answer: StreamedAnswer | undefined;

  constructor(answer: StreamedAnswer, headers: Readonly<Record<string, string>>) {
    this.#answer = answer;
    this.headers = headers;
    // Callers who wait for it take it before that; after a background refresh nobody does.
    setImmediate(() => this.take()?.discard());
  }

  /** The answer, unless another caller has it. */
  take(): StreamedAnswer | undefined {
    const answer = this.#answer;
    this.#answer = undefined;
    return answer;
  }
}
