import type { Express } from 'express';
import type { Health } from '../health/create-health.ts';
import { mountPath } from './mount-path.ts';
import { sendJson } from './send-json.ts';

const FRESH = { 'Cache-Control': 'no-store' };

/** Mounts `/healthz`, which answers as long as the process can, and `/readyz`, which says whether it can work. */
export function mountHealth(app: Express, health: Health): void {
  mountPath(app, '/healthz', 'healthz', {
    GET: (_req, res) => {
      sendJson(res, 200, { status: 'alive', service: health.service }, FRESH);
    },
  });
  mountPath(app, '/readyz', 'readyz', {
    GET: async (_req, res) => {
      const report = await health.report();
      sendJson(res, report.status === 'ready' ? 200 : 503, report, FRESH);
    },
  });
}
