import type { LargeAnswer } from '../owners.ts';

export type StreamedAnswer = Omit<LargeAnswer, 'length' | 'lastModified' | 'link'> & { readonly length?: number };

/** An answer too large to share or store. The first caller takes the body, others fetch their own. */
export class LargeResult {
  readonly headers: Readonly<Record<string, string>>;
  #answer: StreamedAnswer | undefined;

  constructor(answer: StreamedAnswer, headers: Readonly<Record<string, string>>) {
    this.#answer = answer;
    this.headers = headers;
    // Waiting callers take it before; after a background refresh nobody does.
    setImmediate(() => this.take()?.discard());
  }

  /** The answer, unless another caller has it. */
  take(): StreamedAnswer | undefined {
    const answer = this.#answer;
    this.#answer = undefined;
    return answer;
  }
}
