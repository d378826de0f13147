import type { Express, Request, Response } from 'express';
import { PathTable } from './path-table.ts';
import { labelOperation } from './response-notes.ts';
import { methodNotAllowed } from './send-error.ts';

/** Answers a request; what it throws becomes an error answer. */
export type Answer = (req: Request, res: Response) => void | Promise<void>;

const METHODS = { GET: 'get', POST: 'post', PATCH: 'patch' } as const;
type Method = keyof typeof METHODS;

/** What answers at a path, by method; GET answers HEAD too. */
export type Answers = Readonly<Partial<Record<Method, Answer>>>;

/**
 * Mounts what answers at a path. Any other method gets 405 with `Allow`, OPTIONS is told which there are.
 *
 * @param label the name under which requests are counted: an operation's id or another that no caller chooses
 */
export function mountPath(app: Express, path: string, label: string, answers: Answers): void {
  const methods = methodsOf(answers);
  for (const method of methods) {
    const answer = answers[method];
    if (answer === undefined) continue;
    app[METHODS[method]](path, (req, res) => {
      labelOperation(res, label);
      return answer(req, res);
    });
  }
  app.all(path, methodNotAllowed(methods));
}

/** What answers an operation at one of its paths. */
export interface Place {
  readonly path: string;
  readonly operation: { readonly method: Method; readonly alias?: Method };
  readonly answer: Answer;
}

/** Answers a request that it knows; gives undefined for any other. What it rejects with becomes an error answer. */
export type Direct = (req: Request, res: Response) => Promise<void> | undefined;

/**
 * Mounts operations by their methods and aliases, each path its own label, found by a table: Express would try the patterns of
 * all in turn. It does so for what the table doesn't find, a path that is written otherwise or a method that isn't there.
 * Several operations may have one path and differ in their methods.
 *
 * @returns what answers by the table alone, for who needs nothing of what else the app has
 */
export function mountPaths(app: Express, places: readonly Place[]): Direct {
  const tables: Record<Method, PathTable<Answer>> = {
    GET: new PathTable(),
    POST: new PathTable(),
    PATCH: new PathTable(),
  };
  const direct: Direct = (req, res) => {
    const method = req.method === 'HEAD' ? 'GET' : req.method;
    const found = isMethod(method) ? tables[method].find(req.url) : undefined;
    if (found === undefined) return undefined;
    req.params = found.params;
    // As Express has it, where it has been entered.
    if (!req.originalUrl) req.originalUrl = req.url;
    return Promise.try(found.value, req, res);
  };
  app.use((req, res, next) => direct(req, res) ?? next());
  for (const [path, ofPath] of Map.groupBy(places, (place) => place.path)) {
    const answers: Partial<Record<Method, Answer>> = {};
    for (const { operation, answer } of ofPath) {
      const { method, alias = method } = operation;
      for (const one of [method, alias]) {
        answers[one] = answer;
        tables[one].add(path, answer);
      }
    }
    mountPath(app, path, path, answers);
  }
  return direct;
}

function methodsOf(answers: Answers): Method[] {
  return Object.keys(answers).filter(isMethod);
}

function isMethod(method: string): method is Method {
  return Object.hasOwn(METHODS, method);
}
