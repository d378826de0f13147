import { DECLARED_ABSENT, type EpochSeconds, type NetworkSourceName } from '@lobbystats/contracts';
import type { BoardKey } from '../../network/board.ts';
import { PageFailure } from '../../network/page-failures.ts';
import type {
  BoardPageReading,
  EventsReading,
  GamePageReading,
  HomepageReading,
  PlayersReading,
} from '../../network/network.ts';

type Body = string | Uint8Array;

/** Where a source is, and how its answers are read. */
export interface SourceForm<Values, Reading> {
  readonly type: 'html' | 'json';
  readonly url: (values: Values) => string;
  /** `values` are those of the URL. Rejects with an UnparseablePageError. */
  readonly read: (body: Body, values: Values, seenAt: EpochSeconds) => Promise<Reading>;
}

interface Polled {
  /** A multiple of the slot. */
  readonly intervalSeconds: number;
}

interface BoardPageKey extends BoardKey {
  /** From 1. */
  page: number;
}

/** null: the network has no such source. */
export interface SourceForms {
  readonly homepage: SourceForm<object, HomepageReading>;
  readonly titles: SourceForm<{ titleId: string }, GamePageReading> | null;
  readonly leaderboards: SourceForm<BoardPageKey, BoardPageReading> | null;
  /** The rows of leaderboards are on the pages of titles, without pages of their own. */
  readonly hasBoardsOnTitles?: boolean;
  readonly events: (SourceForm<object, EventsReading> & Polled) | null;
  /** `since`: the `next` of the last reading, or null. */
  readonly players: (SourceForm<{ since: string | null }, PlayersReading> & Polled) | null;
  /** Differs when answers may be read differently, which discards cached readings. */
  readonly version: string;
}

export type SourceName = NetworkSourceName | 'homepage';

/** @throws PageFailure `rejected` for a source that the settings turn off */
export function formOf(forms: SourceForms, source: SourceName): SourceForm<object, unknown> {
  const form = forms[source];
  // The values of a request are those of its source.
  if (form !== null) return form as SourceForm<object, unknown>;
  throw new PageFailure('rejected', DECLARED_ABSENT);
}
