import { createHash } from 'node:crypto';
import { BOARD_PASS_SECONDS, SLOT_SECONDS, type EpochSeconds } from '@lobbystats/contracts';
import { boardIdOf, type BoardKey } from './board.ts';

export const SLOTS_PER_PASS = BOARD_PASS_SECONDS / SLOT_SECONDS;

export function passOf(seconds: number): EpochSeconds {
  return Math.floor(seconds / BOARD_PASS_SECONDS) * BOARD_PASS_SECONDS;
}

export function passEndMs(pass: EpochSeconds): number {
  return (pass + BOARD_PASS_SECONDS) * 1000;
}

export function slotIndexInPass(slot: EpochSeconds): number {
  return (slot % BOARD_PASS_SECONDS) / SLOT_SECONDS;
}

/** Spreads boards over the slots of an hour by a hash of their key; the slot index is the same every hour. */
export function slotIndexOf(board: BoardKey): number {
  return createHash('sha256').update(boardIdOf(board)).digest().readUInt32BE() % SLOTS_PER_PASS;
}
