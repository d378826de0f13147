import {
  compareCodePoints,
  decodeSegment,
  isNear,
  isTitleId,
  matchOf,
  nameKey,
  nameQuery,
  wordKeys,
  type GameMetadata,
  type OperationResponse,
  gameMetadata,
  operations,
} from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import { parseResponse, type Upstreams } from '../upstreams/upstreams.ts';

export type TitleList = OperationResponse<typeof operations.listTitles>;

interface Entry {
  /** Undefined: retired. */
  title: GameMetadata | undefined;
  revision: number;
}

interface Index {
  byName: readonly GameMetadata[];
  idByName: ReadonlyMap<string, string>;
}

/** Titles by ID and name. Each title's newest revision counts, so facts may be repeated and reordered. */
export class TitleDirectory {
  readonly #entries = new Map<string, Entry>();
  #loaded = false;
  #index: Index | undefined;

  /** Whether names can be resolved: before the first load an unknown name may be a valid one. */
  isLoaded(): boolean {
    return this.#loaded;
  }

  load({ revision, titles }: TitleList): void {
    this.#entries.clear();
    for (const title of titles) this.#entries.set(title.titleId, { title, revision });
    this.#index = undefined;
    this.#loaded = true;
  }

  /** Applies a fact's titles, and the IDs of retired ones, unless a newer fact was applied. */
  put(revision: number, titles: readonly GameMetadata[], retired: readonly string[] = []): void {
    const set = (titleId: string, title: GameMetadata | undefined) => {
      const known = this.#entries.get(titleId);
      if (known === undefined || known.revision < revision) this.#entries.set(titleId, { title, revision });
    };
    for (const title of titles) set(title.titleId, title);
    for (const titleId of retired) set(titleId, undefined);
    this.#index = undefined;
  }

  /**
   * Resolves a path segment to a title ID: by exact name first, then as the ID of a title.
   *
   * @throws AppError `unavailable` while nothing has been loaded
   */
  resolve(game: string): string | undefined {
    const { idByName } = this.#indexed();
    const byName = idByName.get(nameKey(game)) ?? idByName.get(nameKey(decodeSegment(game)));
    if (byName !== undefined) return byName;
    const asId = game.toLowerCase();
    return isTitleId(game) && this.#entries.get(asId)?.title !== undefined ? asId : undefined;
  }

  /**
   * Like {@link resolve}, but by title ID first: pages link games by it, and a game may have the ID of another as name.
   *
   * @throws AppError `unavailable` while nothing has been loaded
   */
  resolveLink(game: string): string | undefined {
    return this.find(game.toLowerCase())?.titleId ?? this.resolve(game);
  }

  /**
   * A title by its ID.
   *
   * @throws AppError `unavailable` while nothing has been loaded
   */
  find(titleId: string): GameMetadata | undefined {
    this.#indexed();
    return this.#entries.get(titleId)?.title;
  }

  /** A title by its ID; undefined while nothing has been loaded. */
  known(titleId: string): GameMetadata | undefined {
    return this.#loaded ? this.#entries.get(titleId)?.title : undefined;
  }

  /**
   * Titles whose name matches a text, best first; if none does, those that do but for one letter.
   *
   * @throws AppError `unavailable` while nothing has been loaded
   */
  similar(text: string): readonly GameMetadata[] {
    const query = nameQuery(text);
    if (query === undefined) return [];
    const named = this.byName().map((title) => ({ title, keys: wordKeys(title.name) }));
    const matching = named.flatMap(({ title, keys }) => {
      const match = matchOf(keys, query);
      return match === undefined ? [] : [{ title, match }];
    });
    if (matching.length > 0) return matching.toSorted((a, b) => a.match - b.match).map(({ title }) => title);
    return named.filter(({ keys }) => isNear(keys, query)).map(({ title }) => title);
  }

  /**
   * By name in code-point order.
   *
   * @throws AppError `unavailable` while nothing has been loaded
   */
  byName(): readonly GameMetadata[] {
    return this.#indexed().byName;
  }

  #indexed(): Index {
    if (!this.#loaded) throw new AppError('unavailable', 'The games are not known yet, try again soon');
    this.#index ??= indexOf([...this.#entries.values()]);
    return this.#index;
  }
}

function indexOf(entries: readonly Entry[]): Index {
  // While reordered facts give two titles one name, the newer has it.
  const titles = entries.toSorted((a, b) => a.revision - b.revision).flatMap(({ title }) => title ?? []);
  return {
    byName: titles.toSorted((a, b) => compareCodePoints(a.name, b.name)),
    idByName: new Map(titles.map((title) => [nameKey(title.name), title.titleId])),
  };
}

/**
 * Loads all titles from catalog-api, page by page, validated because they are stored; unknown fields are dropped. What
 * changes meanwhile is in facts after the revision.
 *
 * @throws AppError `unavailable` when catalog-api fails
 */
export async function loadTitles(upstreams: Upstreams): Promise<TitleList> {
  const first = await loadPage(upstreams, undefined);
  const titles = [...first.titles];
  for (let { next } = first; next !== undefined;) {
    const page = await loadPage(upstreams, next);
    titles.push(...page.titles);
    // An upstream that repeats itself must not be asked for ever.
    next = page.next !== undefined && page.next > next ? page.next : undefined;
  }
  return { revision: first.revision, titles };
}

async function loadPage(upstreams: Upstreams, after: string | undefined): Promise<TitleList> {
  const title = gameMetadata.strip();
  const { revision: revisionOf, next: nextOf } = operations.listTitles.response.shape;
  const response = await upstreams.fetch(operations.listTitles, {}, after === undefined ? {} : { after });
  return parseResponse(operations.listTitles, response, ({ revision, titles, next }) => ({
    revision: revisionOf.parse(revision),
    titles: titles.map((one) => title.parse(one)),
    next: nextOf.parse(next),
  }));
}
