import type { AnnouncedEvent, EpochSeconds, ObservedMetadata, PastPlayer, SeenPlayer } from '@lobbystats/contracts';
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

export interface Tense {
  past: boolean;
}

/**
 * Publisher of observations. Resolves when durable; equal content gives the same message. Rejects with AppError
 * `invalid` for content no message can carry, `unavailable` when it could not be made durable.
 */
export interface Outlet {
  slot(observation: SlotObservation, tense: Tense): Promise<void>;
  titles(seenAt: EpochSeconds, titles: ObservedMetadata[], tense: Tense): Promise<void>;
  registered(days: RegisteredDay[]): Promise<void>;
  /** Enqueues a page job for any replica; it expires at `expiresAtMs`. */
  wantPage(job: PageJob, expiresAtMs: number): Promise<void>;
  board(observation: BoardObservation, tense: Tense): Promise<void>;
  boardConfirmed(confirmation: BoardConfirmation, tense: Tense): Promise<void>;
  /** Enqueues a board job behind all pages; it expires at `expiresAtMs`. */
  wantBoard(job: BoardJob, expiresAtMs: number): Promise<void>;
  events(slot: EpochSeconds, observation: EventsObservation, digest: string, tense: Tense): Promise<void>;
  /**
   * At most PLAYERS_PER_MESSAGE players.
   *
   * @param players at most PLAYERS_PER_MESSAGE
   */
  players(slot: EpochSeconds, seenAt: EpochSeconds, players: readonly SeenPlayer[], tense: Tense): Promise<void>;
  /**
   * At most PLAYERS_PER_MESSAGE players. `until` is the end of the last slot included.
   *
   * @param players at most PLAYERS_PER_MESSAGE
   * @param until the end of the last slot that it tells of
   */
  play(players: readonly PastPlayer[], until: EpochSeconds): Promise<void>;
}
