import type { Express, Request, Response } from 'express';
import type { Health } from '../health/create-health.ts';
import { setOperationLabel } from './request-notes.ts';
import { methodNotAllowed, sendJson } from './send-response.ts';

/** Handles a request; errors become error responses. */
export type RequestHandler = (req: Request, res: Response) => void | Promise<void>;

const METHODS = { GET: 'get', POST: 'post', PATCH: 'patch' } as const;
type Method = keyof typeof METHODS;

interface MountedOperation {
  readonly path: string;
  readonly operation: { readonly id: string; readonly method: Method; readonly alias?: Method };
  readonly handler: RequestHandler;
}

/** Mounts a GET route. @param label metric label: an operation's id or another constant */
export function mountPath(app: Express, path: string, label: string, handler: RequestHandler): void {
  mountOperations(app, [{ path, operation: { id: label, method: 'GET' }, handler }]);
}

/** Mounts operations by method and alias. Several operations may share a path. */
export function mountOperations(app: Express, operations: readonly MountedOperation[]): void {
  for (const [path, group] of Map.groupBy(operations, (mounted) => mounted.path)) {
    const route = app.route(path);
    const methods = new Set<Method>();
    for (const { operation, handler } of group) {
      const { id, method, alias = method } = operation;
      for (const verb of new Set([method, alias])) {
        methods.add(verb);
        route[METHODS[verb]]((req, res) => {
          setOperationLabel(res, id);
          return handler(req, res);
        });
      }
    }
    route.all(methodNotAllowed([...methods]));
  }
}

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
