import express, { Router, type Request, type Response, type NextFunction } from 'express';
import { z } from 'zod';
import type { Faulty, PlannedHandler } from '../faults/faulty-handler.ts';
import { sendJson } from '../pages/send-page.ts';
import type { World } from '../world/world.ts';
import { openSession, type Account, type Sessions } from './accounts.ts';
import { friendsOf, gamesOf, profileOf } from './session-data.ts';

const MAX_BODY = '16kb';
const NO_SESSION = 'Invalid or expired session';

const text = z.string().min(1);
const credentials = z.object({ email: text, password: text });
const keyed = z.object({ sessionKey: text });

const DATA = { friends: friendsOf, games: gamesOf, profile: profileOf };

export interface AuthParts {
  world: World;
  accounts: readonly Account[];
  sessions: Sessions;
  faulty: Faulty;
}

/** Errors are `{error}`; requests are not logged, since they contain secrets. */
export function authRouter({ world, accounts, sessions, faulty }: AuthParts): Router {
  const router = Router();
  const json = express.json({ limit: MAX_BODY });
  router.use(cors);

  post('/login', (request, response, plan) => {
    const parsed = credentials.safeParse(request.body);
    if (!parsed.success) {
      sendJson(response, 400, { error: 'Email and password are required' }, plan);
      return;
    }
    const email = parsed.data.email.trim().toLowerCase();
    const account = accounts.find((one) => one.email === email && one.password === parsed.data.password);
    if (account === undefined) sendJson(response, 401, { error: 'Invalid email or password' }, plan);
    else
      sendJson(response, 200, { success: true, ...userOf(account), sessionKey: openSession(sessions, account) }, plan);
  });

  post('/logout', (request, response, plan) => {
    const parsed = keyed.safeParse(request.body);
    if (parsed.success) sessions.delete(parsed.data.sessionKey);
    if (parsed.success) sendJson(response, 200, { success: true }, plan);
    else sendJson(response, 400, { error: 'sessionKey is required' }, plan);
  });

  post('/verify', (request, response, plan) => {
    const parsed = keyed.safeParse(request.body);
    const account = parsed.success ? sessions.get(parsed.data.sessionKey) : undefined;
    if (!parsed.success) sendJson(response, 400, { valid: false, error: 'sessionKey is required' }, plan);
    else if (account === undefined) sendJson(response, 401, { valid: false, error: NO_SESSION }, plan);
    else sendJson(response, 200, { valid: true, ...userOf(account) }, plan);
  });

  router
    .route('/user')
    .get(
      faulty((request, response, plan) => {
        const sessionKey = request.get('X-Session-Key') ?? request.query['sessionKey'];
        const account = typeof sessionKey === 'string' ? sessions.get(sessionKey) : undefined;
        if (account === undefined) sendJson(response, 401, { error: NO_SESSION }, plan);
        else sendJson(response, 200, { ...userOf(account), sessionKey }, plan);
      }, sendOutage),
    )
    .all(allowOnly('GET, HEAD'));

  for (const [name, dataOf] of Object.entries(DATA)) {
    router
      .route(`/${name}`)
      .get(faulty(data(dataOf, {}), sendOutage))
      .all(allowOnly('GET, HEAD'));
    router
      .route(`/refresh/${name}`)
      .post(faulty(data(dataOf, { success: true }), sendOutage))
      .all(allowOnly('POST'));
  }

  router.use((_, response) => sendJson(response, 404, { error: 'Not found' }));
  return router;

  function post(path: string, handler: PlannedHandler): void {
    router.route(path).post(json, faulty(handler, sendOutage)).all(allowOnly('POST'));
  }

  function data(dataOf: typeof friendsOf, extra: object): PlannedHandler {
    return async (request, response, plan, now) => {
      const account = sessions.get(request.get('X-Session-Key') ?? '');
      if (account === undefined) {
        sendJson(response, 401, { error: NO_SESSION }, plan);
        return;
      }
      const siteUrl = `${request.protocol}://${request.get('Host') ?? ''}`;
      const sessionData = await dataOf(account, { world, siteUrl, now });
      sendJson(response, 200, { ...extra, ...sessionData }, plan);
    };
  }
}

function userOf({ username, email }: Account): { username: string; email: string } {
  return { username, email };
}

function sendOutage(_: Request, response: Response, status: number): void {
  sendJson(response, status, { error: 'The auth service is out of order' });
}

function allowOnly(methods: string): (request: Request, response: Response) => void {
  return (_, response) => {
    response.set('Allow', methods);
    sendJson(response, 405, { error: 'Method not allowed' });
  };
}

const METHODS = 'GET, HEAD, POST, OPTIONS';
const HEADERS = 'Content-Type, X-Session-Key';
const PREFLIGHT_SECONDS = '600';

function cors(request: Request, response: Response, next: NextFunction): void {
  response.set('Access-Control-Allow-Origin', '*');
  if (request.method !== 'OPTIONS') {
    next();
    return;
  }
  response
    .set({
      'Access-Control-Allow-Methods': METHODS,
      'Access-Control-Allow-Headers': HEADERS,
      'Access-Control-Max-Age': PREFLIGHT_SECONDS,
    })
    .status(204)
    .end();
}
