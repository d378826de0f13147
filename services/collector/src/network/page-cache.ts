import type { Lease } from '../leases/lease.ts';

export interface PageValidators {
  etag: string | null;
  lastModified: string | null;
}

export interface CachedPage extends PageValidators {
  reading: string;
}

export interface PageCache {
  claim(url: string, lease: Lease): Promise<boolean>;
  release(url: string, holder: string): Promise<void>;
  get(url: string): Promise<CachedPage | undefined>;
  put(url: string, memo: CachedPage): Promise<void>;
  /** Forgets pages that were last requested before an instant. */
  deleteUnclaimedSince(beforeMs: number): Promise<void>;
}
