import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSessions, type SessionsOptions } from '@lobbystats/session';
import { createLogger, createMetrics, type Sessions } from '@lobbystats/service-kit';
import { cleanUp, fixedClock, type FixedClock } from '@lobbystats/test-kit';

/** An auth service of few words, and what it was asked. */
export interface FakeAuth {
  readonly url: string;
  /** Keys, in the order in which they came. */
  readonly asked: string[];
  /** Whose each valid key is. */
  readonly people: Map<string, string>;
  /** How many questions it had at once, at most. */
  most: () => number;
  /** Takes the place of its answers, where it is set. */
  answer: RequestListener | undefined;
}

export async function fakeAuth(people: Record<string, string> = {}): Promise<FakeAuth> {
  let running = 0;
  let most = 0;
  const auth: FakeAuth = {
    url: '',
    asked: [],
    people: new Map(Object.entries(people)),
    most: () => most,
    answer: undefined,
  };
  const server = createServer((req, res) => {
    running += 1;
    most = Math.max(most, running);
    res.on('close', () => {
      running -= 1;
    });
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const { sessionKey } = JSON.parse(Buffer.concat(chunks).toString()) as { sessionKey: string };
      auth.asked.push(sessionKey);
      if (auth.answer !== undefined) auth.answer(req, res);
      else say(auth.people.get(sessionKey))(req, res);
    });
  });
  cleanUp(() => {
    server.close();
    server.closeAllConnections();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return Object.assign(auth, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

/** The auth service's answer to a person's key, or to nobody's. */
export function say(username: string | undefined): RequestListener {
  return username === undefined
    ? sayJson(401, { valid: false, error: 'Invalid session' })
    : sayJson(200, { valid: true, username, email: 'somebody@mail.example' });
}

/** Answers key by key: undefined is the service's own answer. */
export function sayTo(answerTo: (key: string) => RequestListener | undefined, auth: FakeAuth): RequestListener {
  return (req, res) => {
    const key = auth.asked.at(-1) ?? '';
    (answerTo(key) ?? say(auth.people.get(key)))(req, res);
  };
}

export function sayJson(status: number, body: unknown, headers: Record<string, string> = {}): RequestListener {
  return (_req, res) => {
    res.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    res.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

/** Sessions of an auth service, with a clock that stands still, and everything that they log. */
export interface TestedSessions {
  readonly sessions: Sessions;
  readonly clock: FixedClock;
  readonly lines: string[];
  /** What Prometheus reads. */
  samples: () => Promise<string>;
}

export function sessionsOf(authUrl: string, limits: SessionsOptions['limits'] = {}): TestedSessions {
  const clock = fixedClock('2027-01-15T08:00:00Z');
  const lines: string[] = [];
  const logger = createLogger({ service: 'x', level: 'debug', format: 'json', write: (line) => lines.push(line) });
  const metrics = createMetrics('x');
  const sessions = createSessions({ authUrl, clock, logger, metrics, limits });
  return { sessions, clock, lines, samples: () => metrics.registry.metrics() };
}
