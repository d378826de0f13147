/** Longer URLs are not remembered: their length is the caller's choice, and the index keeps thousands of them. */
export const REMEMBERED_URL_MAX = 512;

/**
 * What a URL asks for, by its text as it came in: what has been understood once is not read again. Bounded: of what nobody
 * has asked for since as many others came, nothing is left.
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

  /**
   * Says what to remember of a URL once its answer is there.
   *
   * @returns remembers it, unless names have changed since or the URL is longer than {@link REMEMBERED_URL_MAX}
   */
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

  /** Names have changed: the same URL may ask for something else. */
  clear(): void {
    this.#generation += 1;
    this.#young.clear();
    this.#old.clear();
  }
}
