/** Longer URLs are not stored: clients choose their length. */
export const URL_LENGTH_MAX = 512;

/**
 * Maps raw URLs to parsed requests, so that each is parsed once. Bounded: the oldest entries are evicted first.
 */
export class UrlIndex<Request> {
  readonly #max: number;
  #young = new Map<string, Request>();
  #old = new Map<string, Request>();
  #generation = 0;

  /** @param max maximum number of URLs */
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

  prepareSet(url: string, request: Request): () => void {
    const generation = this.#generation;
    return () => {
      if (generation === this.#generation && url.length <= URL_LENGTH_MAX) this.#set(url, request);
    };
  }

  #set(url: string, request: Request): void {
    if (this.#young.size >= this.#max / 2) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(url, request);
  }

  /** Clears the index after titles were renamed: a URL may mean another game. */
  clear(): void {
    this.#generation += 1;
    this.#young.clear();
    this.#old.clear();
  }
}
