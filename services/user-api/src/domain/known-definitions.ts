import type { Definition, Definitions } from './definitions.ts';
import type { UserStore } from './user-store.ts';

/** What an achievement is, by its id. */
export type DefinitionOf = (id: number) => Definition | undefined;

/**
 * What is known of achievements: those of the file as the file has them, and those that were taken out of it, which people
 * may still have, as they last were.
 */
export class KnownDefinitions {
  readonly #store: Pick<UserStore, 'definitions'>;
  readonly #known: Map<number, Definition>;

  constructor(file: Definitions, store: Pick<UserStore, 'definitions'>) {
    this.#store = store;
    this.#known = new Map(file.all.map((definition) => [definition.id, definition]));
  }

  /** Knows the achievements with these ids, unless nobody ever did. The store is only asked for ids that are new here. */
  async lookUp(ids: readonly number[]): Promise<DefinitionOf> {
    if (ids.some((id) => !this.#known.has(id))) {
      for (const definition of await this.#store.definitions()) {
        if (!this.#known.has(definition.id)) this.#known.set(definition.id, definition);
      }
    }
    return (id) => this.#known.get(id);
  }
}
