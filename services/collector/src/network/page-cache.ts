export interface PageValidators {
  etag: string | null;
  lastModified: string | null;
}

export interface CachedPage extends PageValidators {
  reading: string;
}

export interface PageCache {
  get(url: string): Promise<CachedPage | undefined>;
  /** Times are epoch milliseconds. */
  put(url: string, page: CachedPage, atMs: number): Promise<void>;
  /** Forgets pages that were last stored before an instant. */
  deleteStoredBefore(beforeMs: number): Promise<void>;
}
