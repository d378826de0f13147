import type { ObservationPublisher } from '../messages/observation-publisher.ts';
import type { AnnouncedTitles } from '../titles/announced-titles.ts';
import type { WithdrawalStore } from './withdrawal-store.ts';

interface WithdrawalParts {
  withdrawals: WithdrawalStore;
  titles: Pick<AnnouncedTitles, 'forget'>;
  publisher: Pick<ObservationPublisher, 'publishWithdrawal'>;
}

/** Publishes what operators have asked for. Titles are forgotten first: the homepage then shows them as new ones. */
export async function publishWithdrawals({ withdrawals, titles, publisher }: WithdrawalParts): Promise<void> {
  for (const [id, withdrawal] of await withdrawals.pending()) {
    if (withdrawal.titleIds.length > 0) await titles.forget(withdrawal.titleIds);
    await publisher.publishWithdrawal(id, withdrawal);
    await withdrawals.remove(id);
  }
}
