import type { Lease } from './lease.ts';

/** What is remembered of a page for asking whether it has changed. */
export interface PageMemo {
  etag: string | null;
  lastModified: string | null;
  /** What was read off the page, as JSON. */
  reading: string;
}

/** What all replicas remember of the network's pages, by URL. */
export interface PageMemory {
  /** Claims a page, so that nobody else reads it meanwhile. False when somebody else has it. */
  claim(url: string, lease: Lease): Promise<boolean>;
  /** Gives a claim back; somebody else's stays. */
  release(url: string, holder: string): Promise<void>;
  /** Undefined for a page that nothing is remembered of. */
  recall(url: string): Promise<PageMemo | undefined>;
  /** The last word stays. */
  remember(url: string, memo: PageMemo): Promise<void>;
}
