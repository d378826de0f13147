import type { Express } from 'express';
import { z } from 'zod';
import type { Reply } from '@lobbystats/contracts';
import { mountPath, type Answer } from './mount-path.ts';
import { parseBody } from './parse-body.ts';
import { readBody } from './read-body.ts';
import { parseParams, parseQuery, readQuery, replaced } from './request-input.ts';
import { labelOperation } from './response-notes.ts';
import type { AnyOperation, Route } from './route.ts';
import { sendJson, sendText } from './send-json.ts';

export interface MountOptions {
  /** Whether each answer is held against its operation's schema: for tests. */
  checkAnswers: boolean;
}

/** Mounts each operation where it says; several may have one path and differ in their methods. */
export function mountRoutes(app: Express, routes: readonly Route[], options: MountOptions): void {
  for (const [path, ofPath] of Map.groupBy(routes, ({ operation }) => operation.path)) {
    const answers = ofPath.map((one) => [one.operation.method, answer(one, options)] as const);
    mountPath(app, path, path, Object.fromEntries(answers));
  }
}

function answer({ operation, handler }: Route, { checkAnswers }: MountOptions): Answer {
  return async (req, res) => {
    labelOperation(res, operation.id);
    const body = operation.body === undefined ? undefined : parseBody(operation, await readBody(req));
    const params = parseParams(operation, req.params);
    const query = parseQuery(operation, req.originalUrl);
    const reply = await handler({ params, query, body });
    if (checkAnswers) expectOnSchema(operation, reply.body);
    const headers = headersOf(operation, reply, req.originalUrl);
    if (operation.mediaType === undefined) sendJson(res, 200, reply.body, headers);
    else sendText(res, 200, String(reply.body), { 'Content-Type': operation.mediaType, ...headers });
  };
}

function headersOf(operation: AnyOperation, reply: Reply<AnyOperation>, rawUrl: string): Record<string, string> {
  const { lastModified, next } = reply;
  const headers: Record<string, string> = {};
  if (lastModified !== undefined) headers['Last-Modified'] = new Date(lastModified * 1000).toUTCString();
  if (next !== undefined) {
    headers['Link'] = `<${replaced(readQuery(operation.query.shape, rawUrl), next)}>; rel="next"`;
  }
  return headers;
}

function expectOnSchema(operation: AnyOperation, body: unknown): void {
  const { error } = operation.answer.safeParse(body);
  if (error !== undefined) throw new Error(`${operation.id} answers off its schema:\n${z.prettifyError(error)}`);
}
