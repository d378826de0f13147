import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cleanUp } from '@lobbystats/test-kit';

/** A request that the server received. */
interface ReceivedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: unknown;
}

/** A response: a string body is sent as it is, any other as JSON; `hang up` breaks the connection. */
export type FakeResponse = { status: number; body: unknown; location?: string } | 'hang up';

/** An auth service whose responses a test can override. */
export interface FakeAuthService {
  readonly url: string;
  readonly requests: ReceivedRequest[];
  /** Replaces the default response when it returns one. */
  overrideResponse: (asked: ReceivedRequest) => FakeResponse | Promise<FakeResponse> | undefined;
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

/** Starts an auth service with one account, whose sessions are valid until logout. */
export async function startAuthService(): Promise<FakeAuthService> {
  const service: Omit<FakeAuthService, 'url'> = { requests: [], overrideResponse: () => undefined };
  const usual = defaultResponses();
  const server = createServer((req, res) => {
    void (async () => {
      const asked = await readRequest(req);
      service.requests.push(asked);
      const answer = (await service.overrideResponse(asked)) ?? usual(asked);
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

function defaultResponses(): (asked: ReceivedRequest) => FakeResponse {
  const { username, email, password, sessionKey } = EMBER;
  const data = { friends: FRIENDS, games: GAMES, profile: PROFILE };
  const keys = new Set<unknown>();
  return ({ path, headers, body }) => {
    const input = body as Record<string, unknown> | undefined;
    const refused = { status: 401, body: { valid: false, error: 'Invalid session' } };
    switch (path) {
      case '/api/auth/login':
        if (input?.['email'] !== email || input['password'] !== password) {
          return { status: 401, body: { error: 'Invalid email or password' } };
        }
        keys.add(sessionKey);
        return { status: 200, body: { success: true, username, email, sessionKey } };
      case '/api/auth/logout':
        keys.delete(input?.['sessionKey']);
        return { status: 200, body: { success: true } };
      case '/api/auth/verify':
        return keys.has(input?.['sessionKey']) ? { status: 200, body: { valid: true, username, email } } : refused;
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

async function readRequest(req: IncomingMessage): Promise<ReceivedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  const { method = '', url = '', headers } = req;
  return { method, path: url, headers, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
}
