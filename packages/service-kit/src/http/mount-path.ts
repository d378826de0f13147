import type { Express, Request, Response } from 'express';
import { labelOperation } from './response-notes.ts';
import { methodNotAllowed } from './send-error.ts';

/** Answers a request; what it throws becomes an error answer. */
export type Answer = (req: Request, res: Response) => void | Promise<void>;

const METHODS = { GET: 'get', POST: 'post', PATCH: 'patch' } as const;
type Method = keyof typeof METHODS;

/** An operation at one of its paths. */
export interface MountedOperation {
  readonly path: string;
  readonly operation: { readonly id: string; readonly method: Method; readonly alias?: Method };
  readonly answer: Answer;
}

/**
 * Mounts a path that is read with GET. Any other method gets 405 with `Allow`, OPTIONS lists the methods.
 *
 * @param label the name under which requests are counted: an operation's id or another that no caller chooses
 */
export function mountPath(app: Express, path: string, label: string, answer: Answer): void {
  mountOperations(app, [{ path, operation: { id: label, method: 'GET' }, answer }]);
}

/** Mounts operations by their methods and aliases. Several may share a path and differ in their methods. */
export function mountOperations(app: Express, operations: readonly MountedOperation[]): void {
  for (const [path, ofPath] of Map.groupBy(operations, (one) => one.path)) {
    const route = app.route(path);
    const methods = new Set<Method>();
    for (const { operation, answer } of ofPath) {
      const { id, method, alias = method } = operation;
      for (const one of new Set([method, alias])) {
        methods.add(one);
        route[METHODS[one]]((req, res) => {
          labelOperation(res, id);
          return answer(req, res);
        });
      }
    }
    route.all(methodNotAllowed([...methods]));
  }
}
