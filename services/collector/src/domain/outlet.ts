import type { AnnouncedEvent, EpochSeconds, ObservedMetadata, PastPlayer, SeenPlayer } from '@lobbystats/contracts';
import type { BoardConfirmation, BoardJob, BoardObservation } from './board.ts';
import type { SlotObservation } from './slot-observation.ts';

/** A page that a worker shall read. */
export interface PageJob {
  slot: EpochSeconds;
  titleId: string;
  /** Whether the slot waits for its matches. */
  matches: boolean;
  /** Whether its metadata is due. */
  metadata: boolean;
}

/** Registered users at the end of a day. */
export interface RegisteredDay {
  /** `YYYY-MM-DD`. */
  date: string;
  registered: number;
  /** Instant. */
  seenAt: string;
}

/** All events that are announced. */
interface EventsObservation {
  seenAt: EpochSeconds;
  events: AnnouncedEvent[];
  /** IDs of other events that are announced, but couldn't be read. */
  unread: number[];
}

/** Whether something is news, or the past that a fill or replay brings. */
export interface Tense {
  past: boolean;
}

/**
 * What the collector says. Each resolves when it is durable; repeated with the same content it is the same message.
 * They reject with an AppError `invalid` for content that can't be said, `unavailable` when it couldn't be made durable.
 */
export interface Outlet {
  slot(observation: SlotObservation, tense: Tense): Promise<void>;
  titles(seenAt: EpochSeconds, titles: ObservedMetadata[], tense: Tense): Promise<void>;
  registered(days: RegisteredDay[]): Promise<void>;
  /** Hands a page to whichever replica has room, until `expiresAtMs` (epoch milliseconds). */
  wantPage(job: PageJob, expiresAtMs: number): Promise<void>;
  board(observation: BoardObservation, tense: Tense): Promise<void>;
  boardConfirmed(confirmation: BoardConfirmation, tense: Tense): Promise<void>;
  /** Hands a board to whichever replica has room, behind all pages, until `expiresAtMs` (epoch milliseconds). */
  wantBoard(job: BoardJob, expiresAtMs: number): Promise<void>;
  /** @param digest of the events, for the message's name */
  events(slot: EpochSeconds, observation: EventsObservation, digest: string, tense: Tense): Promise<void>;
  /** @param players at most PLAYERS_PER_MESSAGE */
  players(slot: EpochSeconds, seenAt: EpochSeconds, players: readonly SeenPlayer[], tense: Tense): Promise<void>;
  /**
   * @param players at most PLAYERS_PER_MESSAGE
   * @param until the end of the last slot that it tells of
   */
  play(players: readonly PastPlayer[], until: EpochSeconds): Promise<void>;
}
