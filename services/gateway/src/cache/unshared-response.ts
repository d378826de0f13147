import type { LargeResponse } from '../upstreams/upstreams.ts';

export type ResponseStream = Omit<LargeResponse, 'length' | 'lastModified' | 'link'> & { readonly length?: number };

/** A response too large to share or store. The first caller claims the body, others fetch their own. */
export class UnsharedResponse {
  readonly headers: Readonly<Record<string, string>>;
  #stream: ResponseStream | undefined;

  constructor(answer: ResponseStream, headers: Readonly<Record<string, string>>) {
    this.#stream = answer;
    this.headers = headers;
    // Waiting callers claim it before that; after a background refresh it is unclaimed.
    setImmediate(() => this.claim()?.discard());
  }

  /** Returns the stream, or undefined if another caller has claimed it. */
  claim(): ResponseStream | undefined {
    const answer = this.#stream;
    this.#stream = undefined;
    return answer;
  }
}
