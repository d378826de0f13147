import { createHash } from 'node:crypto';
import { BOARD_PASS_SECONDS, SLOT_SECONDS, type EpochSeconds } from '@lobbystats/contracts';
import { boardIdOf, type BoardKey } from './board.ts';

/** Slots in a pass: each board has its turn in one of them. */
export const TURNS = BOARD_PASS_SECONDS / SLOT_SECONDS;

/** The pass that an instant lies in. */
export function passOf(seconds: number): EpochSeconds {
  return Math.floor(seconds / BOARD_PASS_SECONDS) * BOARD_PASS_SECONDS;
}

/** The end of a pass, in epoch milliseconds. */
export function passEndMs(pass: EpochSeconds): number {
  return (pass + BOARD_PASS_SECONDS) * 1000;
}

/** Whose turn it is in a slot: 0 in the first of the hour. */
export function turnIn(slot: EpochSeconds): number {
  return (slot % BOARD_PASS_SECONDS) / SLOT_SECONDS;
}

/** A board's turn, every hour the same: boards are spread over the hour by a hash of what the network knows them by. */
export function turnOf(board: BoardKey): number {
  return createHash('sha256').update(boardIdOf(board)).digest().readUInt32BE() % TURNS;
}
