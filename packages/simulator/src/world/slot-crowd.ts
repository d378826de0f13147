import type { SeatedTitle } from './title-catalog.ts';

/** How many people are where in a slot, and who of them hosts a match. */
export interface SlotCrowd {
  /** The titles that exist in the slot: the same list as long as none comes, goes or is renamed. */
  seated: readonly SeatedTitle[];
  /** People in each of them. */
  online: readonly number[];
  /** Hosts in each of them, by number; nobody hosts two matches at a time. */
  hosts: readonly (readonly number[])[];
  /** People online who are in no title. */
  idle: number;
}

/** The crowd of any slot, by the slot's number. */
export type CrowdAt = (slotIndex: number) => SlotCrowd;
