import {
  maxReservedMs,
  MAX_LEAD_MS,
  SETTLE_MS,
  SET_BACK_MS,
  type PermitStore,
  type Reservation,
} from '../src/network/permit-store.ts';

/** The arithmetic of the permit store in plain code: the reference for the one in the database. */
export function memoryPermitStore(serverMs: () => number): PermitStore {
  let row: { nextMs: number; quietUntilMs: number; quietForMs: number } | undefined;

  function current(nowMs: number) {
    row ??= { nextMs: 0, quietUntilMs: 0, quietForMs: 0 };
    row.quietUntilMs = Math.min(row.quietUntilMs, nowMs + row.quietForMs);
    return row;
  }

  return {
    look: () => Promise.resolve(row && { nowMs: serverMs(), quietUntilMs: row.quietUntilMs }),

    reserve(count, stepMs): Promise<Reservation> {
      const nowMs = serverMs();
      const state = current(nowMs);
      if (state.nextMs > nowMs + maxReservedMs(stepMs) + SET_BACK_MS) state.nextMs = nowMs + SETTLE_MS;
      const isGranted = state.quietUntilMs <= nowMs && state.nextMs <= nowMs + MAX_LEAD_MS;
      const startMs = Math.max(state.nextMs, nowMs);
      if (isGranted) state.nextMs = startMs + count * stepMs;
      const { nextMs, quietUntilMs } = state;
      return Promise.resolve({ nowMs, quietUntilMs, granted: isGranted ? count : 0, startMs, nextMs });
    },

    announceQuiet(waitMs): Promise<void> {
      const nowMs = serverMs();
      const state = current(nowMs);
      if (nowMs + waitMs > state.quietUntilMs)
        Object.assign(state, { quietUntilMs: nowMs + waitMs, quietForMs: waitMs });
      return Promise.resolve();
    },
  };
}
