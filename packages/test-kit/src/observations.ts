import {
  formatInstant,
  observedCounts,
  type EpochSeconds,
  type ObservedMatch,
  type ObservedMetadata,
  type ObservedTitle,
} from '@lobbystats/contracts';

export interface SlotObservation {
  slot: string;
  registered: number | null;
  online: number;
  titles: ObservedTitle[];
}

export interface SlotTitle extends Partial<Omit<ObservedTitle, 'matches'>> {
  titleId: string;
  matches?: (Partial<ObservedMatch> & { host: string })[] | null;
}

export interface SlotOptions {
  slot: string | EpochSeconds;
  registered?: number | null;
  online?: number;
  titles?: readonly SlotTitle[];
}

/** Data of `slot.observed`. Sessions, players and online default to sums of the matches; a match has 1 of 8 players. */
export function slotObservation({ slot, registered = 1000, online, titles = [] }: SlotOptions): SlotObservation {
  const observed = titles.map(observedTitle);
  return {
    slot: typeof slot === 'number' ? formatInstant(slot) : slot,
    registered,
    online: online ?? sum(observed.map((title) => title.online)),
    titles: observed,
  };
}

export interface TitleMetadata {
  titleId: string;
  home?: Partial<NonNullable<ObservedMetadata['home']>>;
  page?: Partial<NonNullable<ObservedMetadata['page']>>;
}

export interface TitleObservation {
  seenAt: string;
  titles: ObservedMetadata[];
}

/** Data of `title.observed`, with defaults from the title ID. `seenAt`: ISO instant or epoch seconds. */
export function titleObservation({
  seenAt,
  titles,
}: {
  seenAt: string | EpochSeconds;
  titles: readonly TitleMetadata[];
}): TitleObservation {
  return { seenAt: typeof seenAt === 'number' ? formatInstant(seenAt) : seenAt, titles: titles.map(observedMetadata) };
}

const noCounts = Object.fromEntries(Object.keys(observedCounts).map((name) => [name, 0])) as Record<
  keyof typeof observedCounts,
  number
>;

/** A title of `slot.observed`: its counts are those of its matches, unless given. */
export function observedTitle({ titleId, matches = [], ...overrides }: SlotTitle): ObservedTitle {
  const observed = matches?.map((match) => ({ players: 1, maxPlayers: 8, ...match })) ?? null;
  const players = overrides.players ?? sum(observed?.map((match) => match.players) ?? []);
  const counts = { ...noCounts, online: players, sessions: observed?.length ?? 0, ...overrides, players };
  return { titleId, ...counts, matches: observed };
}

function observedMetadata({ titleId, home, page }: TitleMetadata): ObservedMetadata {
  const hasHome = home !== undefined || page === undefined;
  return {
    titleId,
    ...(hasHome && { home: { name: `Game ${titleId}`, image: '', publisher: '', productCode: '', ...home } }),
    ...(page && { page: { title: `Game ${titleId}`, publisher: '', releaseDate: '', ...page } }),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
