import type { BodyOf } from '@lobbystats/client';

export type Own = BodyOf<'getMe'>;

/** What the page shows besides the session. */
export interface OwnTab {
  /** Fills the tab, which is hidden. @param own undefined: there is no profile yet */
  readonly show: (own: Own | undefined) => Promise<void>;
  /** Runs when the reader sees the tab. */
  readonly shown?: (user: string) => Promise<void>;
  /** Whether something is typed that is not stored. */
  readonly isEdited?: () => boolean;
  /** Keeps it until the reader signs in again. */
  readonly keepEdited?: (user: string) => void;
}
