import type { SeatedTitle } from './title-catalog.ts';

export interface SlotCrowd {
  seated: readonly SeatedTitle[];
  online: readonly number[];
  hosts: readonly (readonly number[])[];
  idle: number;
}

export type CrowdAt = (slotIndex: number) => SlotCrowd;
