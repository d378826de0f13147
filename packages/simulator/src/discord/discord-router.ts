import { Router, type Request, type Response } from 'express';
import type { Faulty } from '../faults/faulty-handler.ts';
import { sendJson } from '../pages/send-page.ts';
import { fraction, hashText, mix, pick } from '../world/hash.ts';

const ID = /^\d{17,20}$/;

const BOT_AUTHORIZATION = /^Bot \S+$/;

const UNAUTHORIZED = { message: '401: Unauthorized', code: 0 };
const UNKNOWN_USER = { message: 'Unknown User', code: 10_013 };
const UNKNOWN_WEBHOOK = { message: 'Unknown Webhook', code: 10_015 };
const NO_ID = { message: 'Invalid Form Body', code: 50_035 };
const NOT_FOUND = { message: '404: Not Found', code: 0 };
const NOT_ALLOWED = { message: '405: Method Not Allowed', code: 0 };

/** With `token` a request must carry it. Without, any bot token or none is accepted. */
export function discordRouter(faulty: Faulty, token: string | undefined): Router {
  const router = Router();
  router
    .route('/users/:id')
    .get(
      faulty((request, response, plan) => {
        const id = request.params['id'];
        if (!isAuthorized(request.get('Authorization'))) sendJson(response, 401, UNAUTHORIZED, plan);
        else if (typeof id !== 'string' || !ID.test(id)) sendJson(response, 400, NO_ID, plan);
        else {
          const user = discordUser(id);
          sendJson(response, user === undefined ? 404 : 200, user ?? UNKNOWN_USER, plan);
        }
      }, sendOutage),
    )
    .all((_, response) => {
      response.set('Allow', 'GET, HEAD');
      sendJson(response, 405, NOT_ALLOWED);
    });
  router.post(
    '/webhooks/:id/:token',
    faulty((request, response) => {
      if (ID.test(String(request.params['id']))) response.status(204).end();
      else sendJson(response, 404, UNKNOWN_WEBHOOK);
    }, sendOutage),
  );
  router.use((_, response) => sendJson(response, 404, NOT_FOUND));
  return router;

  function isAuthorized(header: string | undefined): boolean {
    if (token !== undefined) return header === `Bot ${token}`;
    return header === undefined || BOT_AUTHORIZATION.test(header);
  }
}

function sendOutage(_: Request, response: Response, status: number): void {
  sendJson(response, status, { message: `${status}: out of order`, code: 0 });
}

const FIRST = ['quiet', 'brass', 'paper', 'north', 'velvet', 'copper', 'spare', 'lunar'] as const;
const SECOND = ['teapot', 'ladder', 'harbor', 'pixel', 'rocket', 'meadow', 'anchor', 'comet'] as const;
const AVATARLESS_SHARE = 0.2;
const NAMELESS_SHARE = 0.25;

interface DiscordUser {
  id: string;
  username: string;
  global_name: string | null;
  avatar: string | null;
}

/** IDs that end in 404 are unknown. */
function discordUser(id: string): DiscordUser | undefined {
  if (id.endsWith('404')) return undefined;
  const hash = hashText(id);
  const [first, second] = [pick(mix(hash, 1), FIRST), pick(mix(hash, 2), SECOND)];
  const isNameless = fraction(mix(hash, 3)) < NAMELESS_SHARE;
  return {
    id,
    username: `${first}_${second}.${hash % 10_000}`,
    global_name: isNameless ? null : `${first} ${second}`,
    avatar: fraction(mix(hash, 4)) < AVATARLESS_SHARE ? null : hexadecimal(hash),
  };
}

function hexadecimal(hash: number): string {
  return [5, 6, 7, 8].map((word) => mix(hash, word).toString(16).padStart(8, '0')).join('');
}
