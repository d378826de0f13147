/** Longer URLs are not remembered: callers choose their length. */
export const REMEMBERED_URL_MAX = 512;

/**
 * Maps the raw text of a URL to its parsed request, so that it is parsed once. Bounded; the oldest entries go first.
 */
export class UrlIndex<Request> {
  readonly #max: number;
  #young = new Map<string, Request>();
  #old = new Map<string, Request>();
  #generation = 0;

  /** @param max how many URLs are remembered */
  constructor(max: number) {
    this.#max = max;
  }

  get(url: string): Request | undefined {
    const young = this.#young.get(url);
    if (young !== undefined) return young;
    const known = this.#old.get(url);
    if (known !== undefined) this.#set(url, known);
    return known;
  }

  learn(url: string, request: Request): () => void {
    const generation = this.#generation;
    return () => {
      if (generation === this.#generation && url.length <= REMEMBERED_URL_MAX) this.#set(url, request);
    };
  }

  #set(url: string, request: Request): void {
    if (this.#young.size >= this.#max / 2) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(url, request);
  }

  /** Titles were renamed: a URL may mean another game. */
  clear(): void {
    this.#generation += 1;
    this.#young.clear();
    this.#old.clear();
  }
}
