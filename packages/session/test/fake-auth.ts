import { createSessions, type SessionsOptions } from '@lobbystats/session';
import { createLogger, createMetrics, type Sessions } from '@lobbystats/service-kit';
import { fixedClock, type FixedClock } from '@lobbystats/test-kit';

/** Status, body and headers. */
export type Answer = readonly [number, string, Record<string, string>];

/** An auth service of few words, and what it was asked. */
export interface FakeAuth {
  /** Keys, in the order in which they came. */
  readonly asked: string[];
  /** Whose each valid key is. */
  readonly people: Map<string, string>;
  /** Takes the place of its answers, where it is set and gives one. */
  answer: ((key: string) => Answer | undefined | Promise<Answer>) | undefined;
  /** Its answer to the body of a request. */
  reply: (body: unknown) => Promise<Answer>;
}

export function fakeAuth(people: Record<string, string> = {}): FakeAuth {
  const auth: FakeAuth = {
    asked: [],
    people: new Map(Object.entries(people)),
    answer: undefined,
    reply: async (body) => {
      const { sessionKey } = body as { sessionKey: string };
      auth.asked.push(sessionKey);
      return (await auth.answer?.(sessionKey)) ?? say(auth.people.get(sessionKey));
    },
  };
  return auth;
}

/** The auth service's answer to a person's key, or to nobody's. */
export function say(username: string | undefined): Answer {
  return username === undefined
    ? sayJson(401, { valid: false, error: 'Invalid session' })
    : sayJson(200, { valid: true, username, email: 'somebody@mail.example' });
}

export function sayJson(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return [status, text, { 'Content-Type': 'application/json', ...headers }];
}

/** Never answers. */
export function hang(): Promise<never> {
  return new Promise(() => undefined);
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
