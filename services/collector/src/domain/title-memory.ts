import type { EpochSeconds } from '@lobbystats/contracts';

export interface TitleMemo {
  home: string | null;
  page: string | null;
  pageSlot: EpochSeconds | null;
}

/** Shared by all replicas, so that only changes are published. */
export interface TitleMemory {
  all(): Promise<ReadonlyMap<string, TitleMemo>>;
  recall(titleId: string): Promise<TitleMemo | undefined>;
  saidHomes(digests: ReadonlyMap<string, string>): Promise<void>;
  /**
   * `digest` is null when the page has no metadata: the last publication stands.
   *
   * @param digest null when the page was read and has no metadata: what was said before stands
   */
  saidPage(titleId: string, digest: string | null, slot: EpochSeconds): Promise<void>;
}
