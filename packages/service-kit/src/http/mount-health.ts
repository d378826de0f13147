import type { Express } from 'express';
import type { Health } from '../health/create-health.ts';
import { mountPath } from './mount-routes.ts';
import { sendJson } from './send-json.ts';

const NO_STORE = { 'Cache-Control': 'no-store' };
const ALIVE = '/healthz';
const READY = '/readyz';

export function isHealthPath(url: string | undefined): boolean {
  return url === ALIVE || url === READY;
}

export function mountHealth(app: Express, health: Health): void {
  mountPath(app, ALIVE, 'healthz', (_req, res) => {
    sendJson(res, 200, { status: 'alive', service: health.service }, NO_STORE);
  });
  mountPath(app, READY, 'readyz', async (_req, res) => {
    const report = await health.report();
    sendJson(res, report.status === 'ready' ? 200 : 503, report, NO_STORE);
  });
}
