import {
  compareCodePoints,
  hasWord,
  isNear,
  matches,
  matchOf,
  nameKey,
  nameQuery,
  TITLES_PER_PAGE,
  wordKeys,
  type EpochSeconds,
  type GameMetadata,
  type Match,
  type NameQuery,
  type OperationQuery,
  type operations,
} from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import type { Catalog } from './catalog.ts';
import type { TitleRecord } from './titles.queries.ts';

export interface TitleList {
  readonly titles: GameMetadata[];
  readonly changedAt: EpochSeconds | undefined;
}

export interface TitlePage extends TitleList {
  readonly total: number;
  readonly hasMore: boolean;
}

export interface TitleHeader {
  readonly head: { titleId: string; gameName: string };
  readonly changedAt: EpochSeconds;
}

export class TitleView {
  readonly #catalog: Catalog;
  #entries: readonly Entry[] | undefined;
  #byId: readonly Entry[] | undefined;

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  get revision(): number {
    return this.#catalog.revision;
  }

  get size(): number {
    return this.#catalog.names.size;
  }

  get(titleId: string): { title: GameMetadata; changedAt: EpochSeconds } | undefined {
    const title = titleMetadata(this.#catalog, titleId);
    return title === undefined ? undefined : { title, changedAt: changedAt(this.#catalog, titleId) };
  }

  /** @throws AppError `not-found` for a title that is unknown or has no name yet */
  header(titleId: string): TitleHeader {
    const found = this.get(titleId);
    if (found === undefined) throw new AppError('not-found', 'Unknown title');
    return { head: { titleId, gameName: found.title.name }, changedAt: found.changedAt };
  }

  /** By title ID, from the one that follows `after`. */
  all(after = ''): TitleList & { readonly next: string | undefined } {
    this.#byId ??= [...this.#byName()].sort((a, b) => (a.title.titleId < b.title.titleId ? -1 : 1));
    const rest = this.#byId.filter(({ title }) => title.titleId > after);
    const entries = rest.slice(0, TITLES_PER_PAGE);
    return { ...toTitleList(entries), next: rest.length > entries.length ? entries.at(-1)?.title.titleId : undefined };
  }

  /** Titles that suggestions find, and those that have the text in them as it is written. */
  find({ q, limit, offset }: OperationQuery<typeof operations.listGames>): TitlePage {
    const literal = nameKey(q);
    const query = nameQuery(q);
    const found =
      literal === ''
        ? this.#byName()
        : this.#byName().filter(
            (entry) =>
              [entry.title.name, entry.title.title].some((text) => nameKey(text).includes(literal)) ||
              (query !== undefined && (matchEntry(entry, query) ?? isInside(entry, query)) !== undefined),
          );
    const end = offset + limit;
    return { ...toTitleList(found.slice(offset, end)), total: found.length, hasMore: found.length > end };
  }

  /** Titles by their name, full title or title ID. */
  matching(query: NameQuery): { title: GameMetadata; match: Match }[] {
    return this.#byName().flatMap((entry) => {
      const match = matchEntry(entry, query);
      return match === undefined ? [] : [{ title: entry.title, match }];
    });
  }

  /** Titles whose name matches but for one letter. */
  near(query: NameQuery): { title: GameMetadata; match: Match }[] {
    return this.#byName()
      .filter(({ keys }) => keys.some((one) => isNear(one, query)))
      .map(({ title }) => ({ title, match: matches.near }));
  }

  /** Titles whose name has some of the words, with those that it lacks; the fewest missing first. */
  withSomeWords({ words }: NameQuery): { title: GameMetadata; missing: readonly string[] }[] {
    return this.#byName()
      .map(({ title, keys: [name = []] }) => ({ title, missing: words.filter((word) => !hasWord(name, word)) }))
      .filter(({ missing }) => missing.length < words.length)
      .sort((one, other) => one.missing.length - other.missing.length);
  }

  /** Sorted on first use. */
  #byName(): readonly Entry[] {
    this.#entries ??= [...this.#catalog.names.keys()]
      .map((titleId) => entryOf(this.#catalog, titleId))
      .filter((entry) => entry !== undefined)
      .sort((a, b) => compareCodePoints(a.title.name, b.title.name));
    return this.#entries;
  }
}

interface Entry {
  readonly title: GameMetadata;
  readonly changedAt: EpochSeconds;
  /** Word keys of the name and of the full title. */
  readonly keys: readonly (readonly string[])[];
}

function entryOf(catalog: Catalog, titleId: string): Entry | undefined {
  const title = titleMetadata(catalog, titleId);
  if (title === undefined) return undefined;
  let keys: Entry['keys'] | undefined;
  return {
    title,
    changedAt: changedAt(catalog, titleId),
    // Lists need none, and those of thousands of titles take seconds.
    get keys() {
      return (keys ??= [title.name, title.title].map((text) => wordKeys(text.slice(0, SEARCHED_MAX))));
    },
  };
}

/** UTF-16 units of a name that are searched for words. */
const SEARCHED_MAX = 64;

/** A shorter text is the beginning of a word rather than of a title ID. */
const TITLE_ID_START = 4;

const HAS_LETTER = /[\p{L}\p{N}]/u;

function matchEntry({ title: { titleId, name }, keys }: Entry, query: NameQuery): Match | undefined {
  if (titleId === query.key) return matches.exact;
  // Word keys have no emoji and no punctuation.
  if (!HAS_LETTER.test(query.key)) return nameKey(name).includes(query.key) ? matches.part : undefined;
  const isStart = query.key.length >= TITLE_ID_START && titleId.startsWith(query.key);
  const found = [...keys.map((one) => matchOf(one, query)), isStart ? matches.firstWord : undefined];
  const best = Math.min(...found.map((match) => match ?? Infinity));
  return best === Infinity ? undefined : (best as Match);
}

function isInside({ keys }: Entry, { key }: NameQuery): true | undefined {
  return keys.some(([whole]) => whole?.includes(key)) || undefined;
}

function changedAt(catalog: Catalog, titleId: string): EpochSeconds {
  return catalog.records.get(titleId)?.changedAt ?? 0;
}

function toTitleList(entries: readonly Entry[]): TitleList {
  let newest: EpochSeconds | undefined;
  for (const entry of entries) newest = Math.max(newest ?? 0, entry.changedAt);
  return { titles: entries.map(({ title }) => title), changedAt: newest };
}

export function titleMetadata(
  { records, names }: Pick<Catalog, 'records' | 'names'>,
  titleId: string,
): GameMetadata | undefined {
  const record = records.get(titleId);
  const name = names.get(titleId);
  return record === undefined || name === undefined ? undefined : metadataOf(record, name);
}

function metadataOf({ titleId, home, page }: TitleRecord, name: string): GameMetadata {
  return {
    titleId,
    name,
    title: page?.title ?? '',
    image: home?.image ?? '',
    publisher: firstNonEmpty(home?.publisher, page?.publisher),
    releaseDate: page?.releaseDate ?? '',
    productCode: home?.productCode ?? '',
  };
}

function firstNonEmpty(...texts: readonly (string | undefined)[]): string {
  return texts.find((text) => text !== undefined && text !== '') ?? '';
}
