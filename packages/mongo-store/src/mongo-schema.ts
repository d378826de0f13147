export interface MongoIndex {
  readonly name: string;
  readonly keys: Readonly<Record<string, 1 | -1>>;
  readonly unique?: boolean;
}

export interface MongoCollection {
  readonly name: string;
  readonly indexes: readonly MongoIndex[];
}

/** Created by the init job, checked by the service. */
export interface MongoSchema {
  readonly name: string;
  readonly version: number;
  readonly collections: readonly MongoCollection[];
}
