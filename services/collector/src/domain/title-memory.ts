import type { EpochSeconds } from '@lobbystats/contracts';

/** What was last said of a title on the bus. */
export interface TitleMemo {
  /** Digest of what its row on the homepage said; null when nothing was said yet. */
  home: string | null;
  /** Digest of what its own page said; null when nothing was said yet. */
  page: string | null;
  /** The slot for which its page was last read for metadata; null when it never was. */
  pageSlot: EpochSeconds | null;
}

/** What all replicas remember of having told, so that they tell changes alone. */
export interface TitleMemory {
  all(): Promise<ReadonlyMap<string, TitleMemo>>;
  /** Undefined for a title that nothing was said of. */
  recall(titleId: string): Promise<TitleMemo | undefined>;
  saidHomes(digests: ReadonlyMap<string, string>): Promise<void>;
  /** @param digest null when the page was read and has no metadata: what was said before stands */
  saidPage(titleId: string, digest: string | null, slot: EpochSeconds): Promise<void>;
}
