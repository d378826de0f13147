import type { Response } from 'express';

import { NO_FAULTS } from '../faults/fault-plan.ts';
import type { FaultPlan } from '../faults/fault-plan.ts';
import { contentTypeOf, sendBody } from './send-body.ts';

export function sendJson(response: Response, status: number, body: object, plan: FaultPlan = NO_FAULTS): void {
  const contentType = contentTypeOf('application/json; charset=utf-8', plan);
  response.status(status).set({ 'Content-Type': contentType, 'Cache-Control': 'no-store' });
  sendBody(response, Buffer.from(JSON.stringify(body)), plan);
}
