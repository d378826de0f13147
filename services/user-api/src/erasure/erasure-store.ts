import type { Fact } from '@lobbystats/contracts';

export interface ErasureCommand {
  readonly userKey: string;
  readonly playerKey: string | undefined;
  readonly hashes: readonly string[];
  readonly facts: readonly Fact[];
}

/** Rejects with AppError `unavailable`. */
export interface ErasureStore {
  /** Erases a user with all counts, and stores the hashes. Idempotent; repeats publish the facts again. */
  eraseUser(command: ErasureCommand): Promise<void>;
  /** Removes hashes of {@link eraseUser}. Returns false, and stores no facts, if there was none of them. */
  allowUser(command: Pick<ErasureCommand, 'hashes' | 'facts'>): Promise<boolean>;
}
