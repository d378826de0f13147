import { isTitleId, nameKey, type GameMetadata } from '@lobbystats/contracts';

/** Every tracked title by ID and by name: what turns a game's name in a path into a title ID. */
export class TitleDirectory {
  readonly #byId = new Map<string, GameMetadata>();
  readonly #idByName = new Map<string, string>();

  /** Forgets everything and takes these titles. */
  replaceAll(titles: readonly GameMetadata[]): void {
    this.#byId.clear();
    this.#idByName.clear();
    this.put(titles);
  }

  /** Adds titles, or replaces those known. Names may move from one of them to another in one call. */
  put(titles: readonly GameMetadata[]): void {
    for (const { titleId } of titles) this.#forgetName(titleId);
    for (const title of titles) {
      this.#byId.set(title.titleId, title);
      this.#idByName.set(nameKey(title.name), title.titleId);
    }
  }

  /** The title ID that a path's game stands for: a known title's ID, else a name. */
  resolve(game: string): string | undefined {
    const asId = game.toLowerCase();
    if (isTitleId(game) && this.#byId.has(asId)) return asId;
    return this.#idByName.get(nameKey(game));
  }

  /** All titles, in no order. */
  all(): Iterable<GameMetadata> {
    return this.#byId.values();
  }

  #forgetName(titleId: string): void {
    const known = this.#byId.get(titleId);
    if (known === undefined) return;
    const key = nameKey(known.name);
    if (this.#idByName.get(key) === titleId) this.#idByName.delete(key);
  }
}
