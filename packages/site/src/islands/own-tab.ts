import type { BodyOf } from '@lobbystats/client';

export type Own = BodyOf<'getMe'>;

/** A tab of the reader's own page. */
export interface OwnTab {
  /** Fills the tab, which is hidden. @param own undefined: there is no profile yet */
  readonly show: (own: Own | undefined) => Promise<void>;
  /** Runs when the reader sees the tab. */
  readonly shown?: (user: string) => Promise<void>;
  /** Tells whether something is typed that is not stored. */
  readonly isEdited?: () => boolean;
  /** Keeps it until the reader signs in again. */
  readonly keepEdited?: (user: string) => void;
}
