import type { Express, Request } from 'express';
import { z } from 'zod';
import type { Reply } from '@lobbystats/contracts';
import { authenticateBody, optionalCaller, withoutSessionKey } from './authenticate.ts';
import { mountOperations, type RequestHandler } from './mount-path.ts';
import { parseBody, parseFields, readBody } from './request-body.ts';
import { parseParams, parseQuery, queryReference, readQuery } from './request-input.ts';
import type { AnyOperation, Input, Route, Sessions } from './route.ts';
import { JSON_TYPE, sendTagged } from './send-response.ts';

interface MountOptions {
  validateResponses: boolean;
  sessions: Sessions | undefined;
}

export function mountRoutes(app: Express, routes: readonly Route[], options: MountOptions): void {
  mountOperations(
    app,
    routes.map((route) => ({
      path: route.operation.path,
      operation: route.operation,
      handler: requestHandler(route, options),
    })),
  );
}

function requestHandler({ operation, handler }: Route, { validateResponses, sessions }: MountOptions): RequestHandler {
  const readInput = inputReader(operation, sessions);
  return async (req, res) => {
    const reply = await handler(await readInput(req));
    const { body, json } = reply;
    if (validateResponses) assertMatchesSchema(operation, reply);
    const headers = headersOf(operation, reply, req.originalUrl);
    const { mediaType } = operation;
    const text = mediaType === undefined ? (json ?? JSON.stringify(body)) : String(body);
    sendTagged(res, text, { 'Content-Type': mediaType ?? JSON_TYPE, ...headers });
  };
}

type InputReader = (req: Request) => Promise<Input<AnyOperation>>;

/** Validates in the order of the contract: a request with several faults gets the first one. */
function inputReader(operation: AnyOperation, sessions: Sessions | undefined): InputReader {
  if (operation.session !== 'none' && sessions === undefined) {
    throw new Error(`${operation.id} uses a session, but the service has no sessions`);
  }
  if (operation.session === 'required' && sessions !== undefined) return authenticatedReader(operation, sessions);
  return async (req) => {
    const body = operation.body === undefined ? undefined : parseBody(operation, await readBody(req));
    const params = parseParams(operation, req.params);
    const query = parseQuery(operation, req.originalUrl);
    const usesSession = operation.session === 'optional' && sessions !== undefined;
    return { params, query, body, caller: usesSession ? await optionalCaller(sessions, req) : undefined };
  };
}

/** Authenticates before anything else is validated. */
function authenticatedReader(operation: AnyOperation, sessions: Sessions): InputReader {
  return async (req) => {
    const { caller, sessionKey, json } = await authenticateBody(req, sessions);
    const params = parseParams(operation, req.params);
    const query = parseQuery(operation, req.originalUrl);
    return { params, query, body: parseFields(operation, withoutSessionKey(json), sessionKey), caller };
  };
}

function headersOf(operation: AnyOperation, reply: Reply<AnyOperation>, rawUrl: string): Record<string, string> {
  const { lastModified, next } = reply;
  const headers: Record<string, string> = {};
  if (lastModified !== undefined) headers['Last-Modified'] = new Date(lastModified * 1000).toUTCString();
  if (next !== undefined) {
    headers['Link'] = `<${queryReference(readQuery(operation.query.shape, rawUrl), next)}>; rel="next"`;
  }
  return headers;
}

function assertMatchesSchema(operation: AnyOperation, { body, json }: Reply<AnyOperation>): void {
  if (json !== undefined && json.toString() !== JSON.stringify(body))
    throw new Error(`${operation.id} has JSON that differs from its body`);
  const { error } = operation.response.safeParse(body);
  if (error !== undefined)
    throw new Error(`${operation.id} has a response that violates its schema:\n${z.prettifyError(error)}`);
}
