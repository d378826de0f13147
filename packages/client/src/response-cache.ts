/** A response that the server can confirm by its ETag. */
export interface CachedResponse {
  readonly etag: string;
  readonly text: string;
  readonly headers: Headers;
}

/** Stores responses by URL. */
export interface ResponseCache {
  get(url: string): CachedResponse | undefined;
  set(url: string, response: CachedResponse): void;
}

/** Creates a cache in memory, which drops the least recently used response. */
export function createResponseCache(maxResponses = 100): ResponseCache {
  const responses = new Map<string, CachedResponse>();
  const set = (url: string, response: CachedResponse) => {
    responses.delete(url);
    responses.set(url, response);
    for (const oldest of responses.keys()) {
      if (responses.size <= maxResponses) break;
      responses.delete(oldest);
    }
  };
  return {
    get: (url) => {
      const response = responses.get(url);
      if (response !== undefined) set(url, response);
      return response;
    },
    set,
  };
}
