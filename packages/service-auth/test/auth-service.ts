import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cleanUp } from '@lobbystats/test-kit';

/** A request as it came in. */
interface Asked {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: unknown;
}

/** What is answered: a text goes out as it is, anything else as JSON; `hang up` breaks the connection. */
export type Answer = { status: number; body: unknown; location?: string } | 'hang up';

/** An auth service that answers as a test has it answer. */
export interface AuthService {
  readonly url: string;
  readonly asked: Asked[];
  /** Answers before the usual ones do, where it gives an answer. */
  instead: (asked: Asked) => Answer | Promise<Answer> | undefined;
}

export const EMBER = {
  username: 'EmberFox',
  email: 'ember@demo.example',
  password: 'correct horse',
  sessionKey: 'key-1',
};
export const FRIENDS = {
  friends: [{ gamertag: 'Mist Owl', status: 'Online', isOnline: true, game: 'Chess', duration: '2 hours' }],
  lastUpdated: '2027-01-15 08:00:00',
  count: 1,
};
const PLAYED = [{ title: 'Chess', lastPlayed: '5 minutes ago', iconUrl: '' }];
export const GAMES = { games: PLAYED, lastUpdated: '2027-01-15 08:00:00', count: 1 };
export const PROFILE = { isOnline: false, status: 'Offline', gamesPlayed: PLAYED, lastUpdated: null, count: 1 };

/** Starts one that knows a single account, and each of its sessions until that is logged out. */
export async function startAuthService(): Promise<AuthService> {
  const service: Omit<AuthService, 'url'> = { asked: [], instead: () => undefined };
  const usual = usualAnswers();
  const server = createServer((req, res) => {
    void (async () => {
      const asked = await read(req);
      service.asked.push(asked);
      const answer = (await service.instead(asked)) ?? usual(asked);
      if (answer === 'hang up') res.destroy();
      else if (answer.location !== undefined) res.writeHead(answer.status, { Location: answer.location }).end();
      else if (typeof answer.body === 'string') res.writeHead(answer.status).end(answer.body);
      else res.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer.body));
    })();
  });
  cleanUp(() => {
    server.close();
    server.closeAllConnections();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return Object.assign(service, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

function usualAnswers(): (asked: Asked) => Answer {
  const { username, email, password, sessionKey } = EMBER;
  const data = { friends: FRIENDS, games: GAMES, profile: PROFILE };
  const keys = new Set<unknown>();
  return ({ path, headers, body }) => {
    const given = body as Record<string, unknown> | undefined;
    const refused = { status: 401, body: { valid: false, error: 'Invalid session' } };
    switch (path) {
      case '/api/auth/login':
        if (given?.['email'] !== email || given['password'] !== password) {
          return { status: 401, body: { error: 'Invalid email or password' } };
        }
        keys.add(sessionKey);
        return { status: 200, body: { success: true, username, email, sessionKey } };
      case '/api/auth/logout':
        keys.delete(given?.['sessionKey']);
        return { status: 200, body: { success: true } };
      case '/api/auth/verify':
        return keys.has(given?.['sessionKey']) ? { status: 200, body: { valid: true, username, email } } : refused;
      default: {
        const [, refresh, name = ''] = /^\/api\/auth\/(refresh\/)?(friends|games|profile)$/.exec(path) ?? [];
        if (!(name in data)) return { status: 404, body: { error: 'Unknown route' } };
        if (!keys.has(headers['x-session-key'])) return refused;
        const found = data[name as keyof typeof data];
        return { status: 200, body: refresh === undefined ? found : { success: true, ...found } };
      }
    }
  };
}

async function read(req: IncomingMessage): Promise<Asked> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  const { method = '', url = '', headers } = req;
  return { method, path: url, headers, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
}
