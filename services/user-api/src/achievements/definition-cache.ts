import type { Definition, Definitions } from './definitions.ts';
import type { UserStore } from '../users/user-store.ts';

export type DefinitionOf = (id: number) => Definition | undefined;

/** Definitions of the file, and removed ones that users may still have. */
export class DefinitionCache {
  readonly #store: Pick<UserStore, 'definitions'>;
  readonly #known: Map<number, Definition>;

  constructor(file: Definitions, store: Pick<UserStore, 'definitions'>) {
    this.#store = store;
    this.#known = new Map(file.all.map((definition) => [definition.id, definition]));
  }

  /** Reads the store only for ids that are not cached. */
  async resolve(ids: readonly number[]): Promise<DefinitionOf> {
    if (ids.some((id) => !this.#known.has(id))) {
      for (const definition of await this.#store.definitions()) {
        if (!this.#known.has(definition.id)) this.#known.set(definition.id, definition);
      }
    }
    return (id) => this.#known.get(id);
  }
}
