import { parseInstant } from '@lobbystats/contracts';
import type { KeptPages } from './kept-pages.ts';
import type { ObservationPublisher } from '../network/observation-publisher.ts';
import type { AnnouncedTitles } from '../titles/announced-titles.ts';
import type { WithdrawalStore } from './withdrawal-store.ts';

interface WithdrawalParts {
  withdrawals: WithdrawalStore;
  titles: Pick<AnnouncedTitles, 'forget'>;
  kept: Pick<KeptPages, 'forget'>;
  publisher: Pick<ObservationPublisher, 'publishWithdrawal'>;
}

/**
 * Publishes what operators have asked for. Titles are forgotten first, so that the homepage shows them as new ones; and
 * kept pages, so that none of them completes a withdrawn slot.
 */
export async function publishWithdrawals({ withdrawals, titles, kept, publisher }: WithdrawalParts): Promise<void> {
  for (const [id, withdrawal] of await withdrawals.pending()) {
    if (withdrawal.titleIds.length > 0) await titles.forget(withdrawal.titleIds);
    if (withdrawal.slots !== null) {
      await kept.forget(parseInstant(withdrawal.slots.from), parseInstant(withdrawal.slots.to));
    }
    await publisher.publishWithdrawal(id, withdrawal);
    await withdrawals.remove(id);
  }
}
