/** Counts must be at least the bound, ranks at most. */
export type Rule =
  | { readonly kind: 'play-minutes'; readonly minutes: number }
  | { readonly kind: 'play-minutes-in-title'; readonly titleId: string; readonly minutes: number }
  | { readonly kind: 'titles-played'; readonly count: number }
  | { readonly kind: 'leaderboard-rank'; readonly rank: number; readonly titleId?: string | undefined }
  | { readonly kind: 'leaderboards-on'; readonly count: number }
  | { readonly kind: 'ratings-given'; readonly count: number }
  | { readonly kind: 'sessions-hosted'; readonly count: number };

export interface AchievementGroup {
  readonly groupId: string;
  readonly titleId: string | null;
  readonly displayName: string;
  readonly imageUrl: string;
}

export interface Definition {
  readonly id: number;
  readonly key: string;
  readonly name: string;
  readonly description: string;
  readonly points: number;
  readonly isHidden: boolean;
  /** A path of this site. */
  readonly picture?: string | undefined;
  readonly group: AchievementGroup;
  readonly rule: Rule;
}

export function pointsOf(all: readonly { readonly points: number }[]): number {
  return all.reduce((sum, { points }) => sum + points, 0);
}

export interface Definitions {
  /** Changes with content, not with white space. */
  readonly digest: string;
  readonly all: readonly Definition[];
  readonly groups: readonly AchievementGroup[];
}

export type DefinitionOf = (id: number) => Definition | undefined;

interface DefinitionStore {
  definitions(): Promise<readonly Definition[]>;
}

/** Definitions of the file, and removed ones that users may still have. */
export class DefinitionCache {
  readonly #store: DefinitionStore;
  readonly #known: Map<number, Definition>;

  constructor(file: Definitions, store: DefinitionStore) {
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
