export { createSimulator } from './simulator.ts';
export type { Simulator } from './simulator.ts';
export type { SimulatorOptions } from './simulator-options.ts';
export type { Match } from './world/match-lanes.ts';
export type { Title } from './world/title.ts';
export type { SlotObservation, TitleObservation, World } from './world/world.ts';
