/** An index that a service relies on. */
export interface MongoIndex {
  readonly name: string;
  /** Fields in the index's order. */
  readonly keys: Readonly<Record<string, 1 | -1>>;
  readonly unique?: boolean;
}

/** A collection and the indexes it has besides the one on `_id`. */
export interface MongoCollection {
  readonly name: string;
  readonly indexes: readonly MongoIndex[];
}

/** What a service keeps in a database of its own: made by the init job, checked by the service. */
export interface MongoSchema {
  /** What the database holds, such as `catalog`. */
  readonly name: string;
  /** Grows with every release that older code can't read. */
  readonly version: number;
  readonly collections: readonly MongoCollection[];
}
