import { createHash } from 'node:crypto';
import { BOARD_PASS_SECONDS, SLOT_SECONDS, type EpochSeconds } from '@lobbystats/contracts';
import { boardIdOf, type BoardKey } from './board.ts';

export const TURNS = BOARD_PASS_SECONDS / SLOT_SECONDS;

export function passOf(seconds: number): EpochSeconds {
  return Math.floor(seconds / BOARD_PASS_SECONDS) * BOARD_PASS_SECONDS;
}

export function passEndMs(pass: EpochSeconds): number {
  return (pass + BOARD_PASS_SECONDS) * 1000;
}

export function turnIn(slot: EpochSeconds): number {
  return (slot % BOARD_PASS_SECONDS) / SLOT_SECONDS;
}

/** Spreads boards over the hour by a hash of their key; the turn is the same every hour. */
export function turnOf(board: BoardKey): number {
  return createHash('sha256').update(boardIdOf(board)).digest().readUInt32BE() % TURNS;
}
