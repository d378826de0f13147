import type {
  AnnouncedEvent,
  BackfillPart,
  EpochSeconds,
  ObservedMetadata,
  MissingSource,
  PastPlayer,
  RefusedSource,
  ObservedPlayer,
  Withdrawal,
} from '@lobbystats/contracts';
import type { BoardConfirmation, BoardJob, BoardObservation } from './board.ts';
import type { SlotObservation } from './slot-observation.ts';

export interface PageJob {
  slot: EpochSeconds;
  titleId: string;
  matches: boolean;
  metadata: boolean;
}

export interface RegisteredDay {
  date: string;
  registered: number;
  seenAt: string;
}

interface EventsObservation {
  seenAt: EpochSeconds;
  events: AnnouncedEvent[];
  unread: number[];
}

interface IconObservation {
  titleId: string;
  seenAt: EpochSeconds;
  /** WebP in Base64. */
  image: string;
}

/** What the network lacks, what of it is refused, and the first slot in which it did not answer. */
interface SourcesCheck {
  missing: MissingSource[];
  refused: RefusedSource[];
  failingSince: EpochSeconds | null;
}

export interface PublishOptions {
  past: boolean;
}

/**
 * Publisher of observations. Resolves when durable; equal content gives the same message. Rejects with AppError
 * `invalid` for content no message can carry, `unavailable` when it could not be made durable.
 */
export interface ObservationPublisher {
  /** `replaces`: takes the place of what was stored of the slot until this instant. */
  publishSlot(observation: SlotObservation, tense: PublishOptions & { replaces?: EpochSeconds }): Promise<void>;
  /** `id`: of the withdrawal. */
  publishWithdrawal(id: string, withdrawal: Withdrawal): Promise<void>;
  publishTitles(seenAt: EpochSeconds, titles: ObservedMetadata[], tense: PublishOptions): Promise<void>;
  publishIcon(icon: IconObservation): Promise<void>;
  publishRegistered(days: RegisteredDay[]): Promise<void>;
  /** Enqueues a page job; it expires at `expiresAtMs`. */
  enqueuePage(job: PageJob, expiresAtMs: number): Promise<void>;
  publishBoard(observation: BoardObservation, tense: PublishOptions): Promise<void>;
  confirmBoard(confirmation: BoardConfirmation, tense: PublishOptions): Promise<void>;
  /** Enqueues a board job behind all pages; it expires at `expiresAtMs`. */
  enqueueBoard(job: BoardJob, expiresAtMs: number): Promise<void>;
  publishEvents(
    slot: EpochSeconds,
    observation: EventsObservation,
    digest: string,
    tense: PublishOptions,
  ): Promise<void>;
  /** Up to PLAYERS_PER_MESSAGE players. */
  publishPlayers(
    slot: EpochSeconds,
    seenAt: EpochSeconds,
    players: readonly ObservedPlayer[],
    tense: PublishOptions,
  ): Promise<void>;
  /** Up to PLAYERS_PER_MESSAGE players; `until` is the end of the last slot included. */
  publishPlayTime(players: readonly PastPlayer[], until: EpochSeconds): Promise<void>;
  /** Without effect for a part that has nothing to read. */
  publishProgress(progress: BackfillPart, at: EpochSeconds): Promise<void>;
  publishSources(checked: SourcesCheck, at: EpochSeconds): Promise<void>;
}
