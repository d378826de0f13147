import type { EpochSeconds } from '@lobbystats/contracts';
import type { KeptPages, PageKeeper } from './kept-pages.ts';
import type { SourceForms } from '../sources/descriptions/source-forms.ts';
import type { BoardCrawlState } from '../boards/board-crawl-state.ts';
import type { PageCache } from '../network/page-cache.ts';
import type { ObservationPublisher } from '../network/observation-publisher.ts';
import type { NetworkSource } from '../network/network.ts';
import type { SourceStates } from '../sources/client/source-states.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { RetryParts } from '../time/time.ts';
import type { AnnouncedTitles } from '../titles/announced-titles.ts';
import type { AdmitTitles } from '../titles/title-admission.ts';
import type { TitleAnnouncer } from '../titles/title-announcer.ts';
import type { SlotSideTasks } from './slot-side-tasks.ts';
import type { SlotStore } from './slot-store.ts';
import type { WithdrawalStore } from './withdrawal-store.ts';

/** Dependencies of the steps of a slot. */
export interface SlotParts extends RetryParts {
  slots: SlotStore;
  withdrawals: WithdrawalStore;
  kept: Pick<KeptPages, 'forget'>;
  titles: AnnouncedTitles;
  boards: BoardCrawlState;
  network: NetworkSource;
  pages: PageCache;
  sources: Pick<SourceStates, 'missing'>;
  publisher: ObservationPublisher;
  keeper: PageKeeper;
  forms: Pick<SourceForms, 'version'>;
  /** Reads the descriptions of sources again if they have changed. */
  refreshForms: () => void;
  admit: AdmitTitles;
  announcer: TitleAnnouncer;
  telemetry: Telemetry;
  /** Delay from the start of a slot to its first request, in milliseconds. */
  settleMs: number;
  /** Learns whether the homepage could be read in a slot. */
  noteNetwork: (slot: EpochSeconds, isAnswering: boolean) => Promise<void>;
  sideTasks: SlotSideTasks;
}
