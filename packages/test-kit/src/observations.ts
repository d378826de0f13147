import {
  formatInstant,
  type EpochSeconds,
  type ObservedMatch,
  type ObservedMetadata,
  type ObservedTitle,
} from '@lobbystats/contracts';

/** A slot as `slot.observed` carries it. */
export interface SlotObservation {
  slot: string;
  registered: number | null;
  online: number;
  titles: ObservedTitle[];
}

/** What a test says of a title in a slot. Matches `null`: its page could not be had. */
export interface SlotTitle extends Partial<Omit<ObservedTitle, 'matches'>> {
  titleId: string;
  matches?: (Partial<ObservedMatch> & { host: string })[] | null;
}

/** What a test says of a slot. */
export interface SlotOptions {
  /** `2026-01-31T18:05:00Z`, or epoch seconds. */
  slot: string | EpochSeconds;
  /** Default: 1000. */
  registered?: number | null;
  /** Default: the sum over the titles. */
  online?: number;
  titles?: readonly SlotTitle[];
}

/**
 * The data of a `slot.observed`. Of a title, sessions and players are by default those of its matches, and as many are
 * online as play; a match has 1 of 8 players.
 */
export function slotObservation({ slot, registered = 1000, online, titles = [] }: SlotOptions): SlotObservation {
  const observed = titles.map(observedTitle);
  return {
    slot: typeof slot === 'number' ? formatInstant(slot) : slot,
    registered,
    online: online ?? sum(observed.map((title) => title.online)),
    titles: observed,
  };
}

/** What a test says of a title's metadata: by `home` the homepage's row, by `page` its own page. */
export interface TitleMetadata {
  titleId: string;
  home?: Partial<NonNullable<ObservedMetadata['home']>>;
  page?: Partial<NonNullable<ObservedMetadata['page']>>;
}

/** Metadata as `title.observed` carries it. */
export interface TitleObservation {
  seenAt: string;
  titles: ObservedMetadata[];
}

/**
 * The data of a `title.observed`. A title without `home` and `page` has the homepage's row; what isn't said of a row or
 * page is made up from the title ID (the names) or unknown.
 *
 * @param options `seenAt`: `2026-01-31T18:05:00Z`, or epoch seconds
 */
export function titleObservation({
  seenAt,
  titles,
}: {
  seenAt: string | EpochSeconds;
  titles: readonly TitleMetadata[];
}): TitleObservation {
  return { seenAt: typeof seenAt === 'number' ? formatInstant(seenAt) : seenAt, titles: titles.map(observedMetadata) };
}

function observedTitle({ titleId, matches = [], ...given }: SlotTitle): ObservedTitle {
  const observed = matches?.map((match) => ({ players: 1, maxPlayers: 8, ...match })) ?? null;
  const players = given.players ?? sum(observed?.map((match) => match.players) ?? []);
  return { titleId, online: players, sessions: observed?.length ?? 0, ...given, players, matches: observed };
}

function observedMetadata({ titleId, home, page }: TitleMetadata): ObservedMetadata {
  const hasHome = home !== undefined || page === undefined;
  return {
    titleId,
    ...(hasHome && { home: { name: `Game ${titleId}`, image: '', publisher: '', ...home } }),
    ...(page && { page: { title: `Game ${titleId}`, publisher: '', releaseDate: '', ...page } }),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
