import {
  compareCodePoints,
  isTitleId,
  nameKey,
  type GameMetadata,
  type OperationAnswer,
  type operations,
} from '@lobbystats/contracts';
import { AppError } from '@lobbystats/errors';

/** Every title as its owner has it at a revision. */
export type TitleList = OperationAnswer<typeof operations.listTitles>;

interface Entry {
  title: GameMetadata;
  /** Of the newest fact that the title is as new as. */
  revision: number;
}

interface Index {
  byName: readonly GameMetadata[];
  idByName: ReadonlyMap<string, string>;
}

/**
 * Every tracked title by ID and by name: what turns a game's name in a path into a title ID. What it says follows from
 * each title's newest revision alone, so facts may come twice and out of order.
 */
export class TitleDirectory {
  readonly #entries = new Map<string, Entry>();
  #loaded = false;
  #index: Index | undefined;

  /** Whether it has ever been loaded: before that, a name that it lacks may be a game's all the same. */
  isLoaded(): boolean {
    return this.#loaded;
  }

  /** Forgets everything and takes what the titles are at a revision. */
  load({ revision, titles }: TitleList): void {
    this.#entries.clear();
    for (const title of titles) this.#entries.set(title.titleId, { title, revision });
    this.#index = undefined;
    this.#loaded = true;
  }

  /** Takes the titles of a fact, but for those that a newer fact has spoken of. */
  put(revision: number, titles: readonly GameMetadata[]): void {
    for (const title of titles) {
      const known = this.#entries.get(title.titleId);
      if (known === undefined || known.revision < revision) this.#entries.set(title.titleId, { title, revision });
    }
    this.#index = undefined;
  }

  /**
   * The title ID of the game that a path names: an exact name comes first, then a known title's ID in any case.
   *
   * @throws AppError `unavailable` while nothing has been loaded
   */
  resolve(game: string): string | undefined {
    const { idByName } = this.#indexed();
    const byName = idByName.get(nameKey(game));
    if (byName !== undefined) return byName;
    const asId = game.toLowerCase();
    return isTitleId(game) && this.#entries.has(asId) ? asId : undefined;
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

  /**
   * All titles, by name in code points.
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
  const titles = entries.map(({ title }) => title);
  // Between two facts that came in the wrong order two titles may have one name: it is the newer one's.
  const oldestFirst = entries.toSorted((a, b) => a.revision - b.revision);
  return {
    byName: titles.sort((a, b) => compareCodePoints(a.name, b.name)),
    idByName: new Map(oldestFirst.map(({ title }) => [nameKey(title.name), title.titleId])),
  };
}
