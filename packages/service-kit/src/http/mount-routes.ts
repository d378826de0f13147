import type { Express } from 'express';
import { z } from 'zod';
import { mountPath, type Answer } from './mount-path.ts';
import { parseParams, parseQuery, readQuery, withOffset } from './request-input.ts';
import { labelOperation } from './response-notes.ts';
import type { AnyOperation, Reply, Route } from './route.ts';
import { sendJson } from './send-json.ts';

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
    const params = parseParams(operation, req.params);
    const query = parseQuery(operation, req.originalUrl);
    const reply = await handler({ params, query });
    if (checkAnswers) expectOnSchema(operation, reply.body);
    sendJson(res, 200, reply.body, headersOf(operation, reply, req.originalUrl));
  };
}

function headersOf(operation: AnyOperation, reply: Reply<AnyOperation>, rawUrl: string): Record<string, string> {
  const { lastModified, nextOffset } = reply;
  const headers: Record<string, string> = {};
  if (lastModified !== undefined) headers['Last-Modified'] = new Date(lastModified * 1000).toUTCString();
  if (nextOffset !== undefined) {
    const next = withOffset(readQuery(operation.query.shape, rawUrl), nextOffset);
    headers['Link'] = `<${next}>; rel="next"`;
  }
  return headers;
}

function expectOnSchema(operation: AnyOperation, body: unknown): void {
  const { error } = operation.answer.safeParse(body);
  if (error !== undefined) throw new Error(`${operation.id} answers off its schema:\n${z.prettifyError(error)}`);
}
