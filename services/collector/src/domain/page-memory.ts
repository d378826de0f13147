import type { Lease } from './lease.ts';

export interface PageMemo {
  etag: string | null;
  lastModified: string | null;
  reading: string;
}

export interface PageMemory {
  claim(url: string, lease: Lease): Promise<boolean>;
  release(url: string, holder: string): Promise<void>;
  recall(url: string): Promise<PageMemo | undefined>;
  remember(url: string, memo: PageMemo): Promise<void>;
}
