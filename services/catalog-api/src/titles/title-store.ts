import type { Fact } from '@lobbystats/contracts';
import type { TitleRecord } from './title-record.ts';

export interface TitleCommit {
  readonly expectedRevision: number;
  /** Above `expectedRevision`, and at least that of the facts. */
  readonly revision: number;
  readonly records: readonly TitleRecord[];
  readonly facts: readonly Fact[];
}

/** Texts have no lone surrogates. Throws AppError `unavailable`. */
export interface TitleStore {
  revision(): Promise<number>;
  read(): Promise<{ revision: number; records: TitleRecord[] }>;
  commit(change: TitleCommit): Promise<boolean>;
}
