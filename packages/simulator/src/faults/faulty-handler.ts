import { setTimeout } from 'node:timers/promises';
import type { Request, Response } from 'express';
import { slotOf } from '@lobbystats/contracts';
import type { SimulatorClock } from '../simulator-clock.ts';
import type { FaultList } from './fault-list.ts';
import type { FaultPlan } from './fault.ts';

export type PlannedHandler = (request: Request, response: Response, plan: FaultPlan, now: number) => unknown;

type Handler = (request: Request, response: Response) => Promise<void>;

export type Faulty = (handler: PlannedHandler, onStatus: StatusHandler) => Handler;

type StatusHandler = (request: Request, response: Response, status: number) => void;

/**
 * Handles latency, stalls, cut connections and error statuses. `Date` shows the simulated or skewed clock. Delays end
 * when `stopping` is aborted.
 */
export function createFaulty(faults: FaultList, clock: SimulatorClock, stopping: AbortSignal): Faulty {
  return (handler, onStatus) => async (request, response) => {
    const plan = faults.planFor(request.baseUrl + request.path, request.originalUrl, slotOf(clock.now() / 1000));
    if (plan.latencyMs > 0) await delayResponse(plan.latencyMs, response, stopping);
    if (plan.stall !== undefined) await delayResponse(plan.stall.ms, response, stopping);
    if (plan.stall !== undefined || plan.close !== undefined) {
      response.destroy();
      return;
    }
    const nowMs = Math.max(0, clock.now() + plan.skewMs);
    response.set('Date', new Date(nowMs).toUTCString());
    if (plan.status === undefined) {
      await handler(request, response, plan, Math.floor(nowMs / 1000));
      return;
    }
    if (plan.status.retryAfter !== undefined) response.set('Retry-After', String(plan.status.retryAfter));
    onStatus(request, response, plan.status.status);
  };
}

/** Ends early with the response, or when `stopping` is aborted. */
async function delayResponse(ms: number, response: Response, stopping: AbortSignal): Promise<void> {
  if (response.destroyed) return;
  const closed = new AbortController();
  response.once('close', () => closed.abort());
  await setTimeout(ms, undefined, { signal: AbortSignal.any([stopping, closed.signal]) }).catch(() => undefined);
}
