import type { EpochSeconds } from '@lobbystats/contracts';

export interface AnnouncedTitle {
  home: string | null;
  page: string | null;
  pageSlot: EpochSeconds | null;
}

/** Shared by all replicas, so that only changes are published. */
export interface AnnouncedTitles {
  all(): Promise<ReadonlyMap<string, AnnouncedTitle>>;
  get(titleId: string): Promise<AnnouncedTitle | undefined>;
  recordHomes(digests: ReadonlyMap<string, string>): Promise<void>;
  /** `digest` is null when the page has no metadata; the last published digest is kept then. */
  recordPage(titleId: string, digest: string | null, slot: EpochSeconds): Promise<void>;
}
