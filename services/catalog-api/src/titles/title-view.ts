import {
  compareCodePoints,
  isTitleId,
  nameKey,
  type EpochSeconds,
  type GameMetadata,
  type OperationQuery,
  type operations,
} from '@lobbystats/contracts';
import { matchOf, wordKeys, type Match } from '../search/word-keys.ts';
import type { Catalog } from './catalog.ts';
import type { TitleRecord } from './title-store.ts';

export interface TitleList {
  readonly titles: GameMetadata[];
  readonly changedAt: EpochSeconds | undefined;
}

export interface TitlePage extends TitleList {
  readonly total: number;
  readonly hasMore: boolean;
}

export class TitleView {
  readonly #catalog: Catalog;
  #entries: readonly Entry[] | undefined;
  #wordKeys: readonly (readonly [GameMetadata, ...(readonly string[])[]])[] | undefined;
  #idByName: ReadonlyMap<string, string> | undefined;

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

  /** An exact name first, then a title ID. */
  titleIdOf(game: string): string | undefined {
    this.#idByName ??= new Map(Array.from(this.#catalog.names, ([titleId, name]) => [nameKey(name), titleId]));
    const byName = this.#idByName.get(nameKey(game));
    if (byName !== undefined) return byName;
    const asId = game.toLowerCase();
    return isTitleId(game) && this.#catalog.names.has(asId) ? asId : undefined;
  }

  all(): TitleList {
    const entries = [...this.#byName()].sort((a, b) => (a.title.titleId < b.title.titleId ? -1 : 1));
    return toTitleList(entries);
  }

  find({ q, limit, offset }: OperationQuery<typeof operations.listGames>): TitlePage {
    const key = nameKey(q);
    const found =
      key === ''
        ? this.#byName()
        : this.#byName().filter((entry) => entry.nameKey.includes(key) || entry.titleKey.includes(key));
    const end = offset + limit;
    return { ...toTitleList(found.slice(offset, end)), total: found.length, hasMore: found.length > end };
  }

  /** Titles with a word of their name or full title that begins with a {@link wordKeys} key. */
  withWord(key: string): { title: GameMetadata; match: Match }[] {
    this.#wordKeys ??= this.#byName().map(({ title }) => [title, wordKeys(title.name), wordKeys(title.title)]);
    return this.#wordKeys.flatMap(([title, ...texts]) => {
      const found = texts.map((keys) => matchOf(keys, key)).filter((match) => match !== undefined);
      return found.length === 0 ? [] : [{ title, match: Math.min(...found) as Match }];
    });
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
  readonly nameKey: string;
  readonly titleKey: string;
}

function entryOf(catalog: Catalog, titleId: string): Entry | undefined {
  const title = titleMetadata(catalog, titleId);
  if (title === undefined) return undefined;
  return {
    title,
    changedAt: changedAt(catalog, titleId),
    nameKey: nameKey(title.name),
    titleKey: nameKey(title.title),
  };
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
  };
}

function firstNonEmpty(...texts: readonly (string | undefined)[]): string {
  return texts.find((text) => text !== undefined && text !== '') ?? '';
}
