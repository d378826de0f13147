import type { Express, Request, Response } from 'express';
import { labelOperation } from './response-notes.ts';
import { methodNotAllowed } from './send-error.ts';

/** Answers a request; what it throws becomes an error answer. */
export type Answer = (req: Request, res: Response) => void | Promise<void>;

const METHODS = { GET: 'get', POST: 'post', PATCH: 'patch' } as const;

/** What answers at a path, by method; GET answers HEAD too. */
export type Answers = Readonly<Partial<Record<keyof typeof METHODS, Answer>>>;

/**
 * Mounts what answers at a path. Any other method gets 405 with `Allow`, OPTIONS is told which there are.
 *
 * @param label the name under which requests are counted: an operation's id or another that no caller chooses
 */
export function mountPath(app: Express, path: string, label: string, answers: Answers): void {
  const methods = Object.keys(answers) as (keyof typeof METHODS)[];
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
