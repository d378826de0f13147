import type { EpochSeconds } from '@lobbystats/contracts';

export interface AnnouncedTitle {
  home: string | null;
  page: string | null;
  /** URL of its icon; `""`: none is known. */
  image: string;
  pageSlot: EpochSeconds | null;
  /** When the icon at this URL was read; null: it was not. */
  iconAt: EpochSeconds | null;
  /** When it was admitted; null: with the first homepage. */
  since: EpochSeconds | null;
  /** When the homepage had it, to a day; null: not since the row exists. */
  seenAt: EpochSeconds | null;
}

interface AnnouncedHome {
  digest: string;
  image: string;
}

/** Shared by all replicas, so that only changes are published. */
export interface AnnouncedTitles {
  all(): Promise<ReadonlyMap<string, AnnouncedTitle>>;
  get(titleId: string): Promise<AnnouncedTitle | undefined>;
  /** Stores that the homepage has these titles; `since` is kept for known ones. */
  recordSeen(titleIds: readonly string[], at: { seenAt: EpochSeconds; since: EpochSeconds | null }): Promise<void>;
  /** Another image is one whose icon was not read. */
  recordHomes(homes: ReadonlyMap<string, AnnouncedHome>): Promise<void>;
  /** `digest` is null when the page has no metadata; the last published digest is kept then. */
  recordPage(titleId: string, digest: string | null, slot: EpochSeconds): Promise<void>;
  recordIcon(titleId: string, at: EpochSeconds): Promise<void>;
  /** Forgets titles, with what their leaderboards' readings left. */
  forget(titleIds: readonly string[]): Promise<void>;
  /** Forgets titles last seen before an instant, like `forget`. */
  forgetUnseen(beforeExclusive: EpochSeconds): Promise<void>;
}
