/** Times are in milliseconds of the server's clock. */
export interface PermitState {
  nowMs: number;
  /** No permit is granted before. */
  quietUntilMs: number;
}

export interface Reservation extends PermitState {
  /** Number of permits; 0 while it is quiet, or when too many are reserved already. */
  granted: number;
  /** Time of the first permit; the others follow at the step's distance. */
  startMs: number;
  /** Time of the next permit that can be reserved. */
  nextMs: number;
}

/** Reserves permits for requests to the network. Each permit is granted to one replica only. */
export interface PermitStore {
  /** Undefined when no permit was ever reserved. */
  look(): Promise<PermitState | undefined>;
  /** @throws AppError `unavailable`; the permits may have been reserved, and are lost then */
  reserve(count: number, stepMs: number): Promise<Reservation>;
  /** Grants no permits for this time; a longer one that was announced earlier stays. */
  announceQuiet(waitMs: number): Promise<void>;
}

/** A permit is used at most this much after its time, or not at all. */
export const MAX_LATENESS_MS = 65;

/** From the check that a permit may be used to the request's system call, on a busy machine. */
const SENDING_MS = 10;

/** Permits that are reserved at once are for at most this time. */
export const BATCH_MS = 250;

/** Permits are used only this long after the last look at the store. */
export const FRESH_MS = 500;

/** After this time all replicas have noticed that the server's clock was set, and have dropped the permits of before. */
export const SETTLE_MS = FRESH_MS + MAX_LATENESS_MS;

/** No permits are granted when those that are reserved reach further into the future. */
export const MAX_LEAD_MS = 5000;

/** Permits that reach further than possible by this were reserved before the server's clock was set back. */
export const SET_BACK_MS = 1000;

const WINDOW_MS = 1000;

/**
 * Distance of permits. Requests of one second have their permits within the second and the possible lateness before it;
 * that time has `perSecond` steps.
 */
export function stepMsOf(perSecond: number): number {
  return (WINDOW_MS + MAX_LATENESS_MS + SENDING_MS) / perSecond;
}

/** Number of permits that a replica reserves at once. */
export function batchOf(perSecond: number): number {
  return Math.max(1, Math.floor((perSecond * BATCH_MS) / WINDOW_MS));
}

/** The furthest that reserved permits reach without a change of the server's clock. */
export function maxReservedMs(stepMs: number): number {
  return MAX_LEAD_MS + 2 * BATCH_MS + stepMs;
}
