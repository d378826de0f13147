import type { Withdrawal } from '@lobbystats/contracts';

/** Withdrawals that operators have asked for and that are not published. Throws AppError `unavailable`. */
export interface WithdrawalStore {
  add(withdrawal: Withdrawal): Promise<void>;
  /** Each ID has its withdrawal. */
  pending(): Promise<ReadonlyMap<string, Withdrawal>>;
  remove(id: string): Promise<void>;
}
