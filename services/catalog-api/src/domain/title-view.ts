import { compareCodePoints, isTitleId, nameKey, type EpochSeconds, type GameMetadata } from '@lobbystats/contracts';
import { shownTitle, type Catalog } from './catalog.ts';

/** Titles to show, and when the newest change among them was made; undefined when there is none. */
export interface ShownTitles {
  readonly titles: GameMetadata[];
  readonly changedAt: EpochSeconds | undefined;
}

/** A page of a list. */
export interface TitlePage extends ShownTitles {
  /** How many there are on all pages. */
  readonly total: number;
  readonly hasMore: boolean;
}

/** What is asked of the list: texts are compared by their {@link nameKey}, `""` keeps every title. */
export interface TitleQuery {
  readonly q: string;
  readonly limit: number;
  readonly offset: number;
}

/** A catalog as it is read: by title ID, or as a list in the order of names. */
export class TitleView {
  readonly #catalog: Catalog;
  #entries: readonly Entry[] | undefined;
  #idByName: ReadonlyMap<string, string> | undefined;

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  /** The revision that this is a view of. */
  get revision(): number {
    return this.#catalog.revision;
  }

  /** How many titles are shown. */
  get size(): number {
    return this.#catalog.names.size;
  }

  /** A title, or undefined when it is unknown or has no name yet. */
  get(titleId: string): { title: GameMetadata; changedAt: EpochSeconds } | undefined {
    const title = shownTitle(this.#catalog, titleId);
    return title === undefined ? undefined : { title, changedAt: changedAt(this.#catalog, titleId) };
  }

  /** The title ID of a game in a path or query: an exact name comes first, then a shown title's ID in any case. */
  titleIdOf(game: string): string | undefined {
    this.#idByName ??= new Map(Array.from(this.#catalog.names, ([titleId, name]) => [nameKey(name), titleId]));
    const byName = this.#idByName.get(nameKey(game));
    if (byName !== undefined) return byName;
    const asId = game.toLowerCase();
    return isTitleId(game) && this.#catalog.names.has(asId) ? asId : undefined;
  }

  /** Every shown title, by title ID. */
  all(): ShownTitles {
    const entries = [...this.#byName()].sort((a, b) => (a.title.titleId < b.title.titleId ? -1 : 1));
    return shown(entries);
  }

  /** The titles whose name or full title has `q` in it, by name in code-point order. */
  find({ q, limit, offset }: TitleQuery): TitlePage {
    const key = nameKey(q);
    const found =
      key === ''
        ? this.#byName()
        : this.#byName().filter((entry) => entry.nameKey.includes(key) || entry.titleKey.includes(key));
    const end = offset + limit;
    return { ...shown(found.slice(offset, end)), total: found.length, hasMore: found.length > end };
  }

  /** Sorted when first asked for: a run of commits without a reader in between sorts nothing. */
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
  const title = shownTitle(catalog, titleId);
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

function shown(entries: readonly Entry[]): ShownTitles {
  let newest: EpochSeconds | undefined;
  for (const entry of entries) newest = Math.max(newest ?? 0, entry.changedAt);
  return { titles: entries.map(({ title }) => title), changedAt: newest };
}
