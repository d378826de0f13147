import type { SeatedTitle } from './title-catalog.ts';

export interface SlotOccupancy {
  seated: readonly SeatedTitle[];
  online: readonly number[];
  hosts: readonly (readonly number[])[];
  idle: number;
}

export type OccupancyAt = (slotIndex: number) => SlotOccupancy;
