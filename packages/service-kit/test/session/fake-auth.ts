import { createSessionVerifier, type SessionVerifierOptions } from '../../src/session/index.ts';
import { createLogger, createMetrics, type Sessions } from '../../src/index.ts';
import { fixedClock, type FixedClock } from '@lobbystats/test-kit';

/** Status, body and headers. */
export type AuthResponse = readonly [number, string, Record<string, string>];

/** A fake auth service that records its requests. */
export interface FakeAuth {
  /** Keys in the order of their requests. */
  readonly requestedKeys: string[];
  /** Username by valid key. */
  readonly users: Map<string, string>;
  /** Replaces the default response when it returns one. */
  overrideResponse: ((key: string) => AuthResponse | undefined | Promise<AuthResponse>) | undefined;
  /** Returns the response to the body of a request. */
  respond: (body: unknown) => Promise<AuthResponse>;
}

export function fakeAuth(users: Record<string, string> = {}): FakeAuth {
  const auth: FakeAuth = {
    requestedKeys: [],
    users: new Map(Object.entries(users)),
    overrideResponse: undefined,
    respond: async (body) => {
      const { sessionKey } = body as { sessionKey: string };
      auth.requestedKeys.push(sessionKey);
      return (await auth.overrideResponse?.(sessionKey)) ?? userResponse(auth.users.get(sessionKey));
    },
  };
  return auth;
}

/** The response to the key of a user, or to an invalid key. */
export function userResponse(username: string | undefined): AuthResponse {
  return username === undefined
    ? jsonResponse(401, { valid: false, error: 'Invalid session' })
    : jsonResponse(200, { valid: true, username, email: 'somebody@mail.example' });
}

export function jsonResponse(status: number, body: unknown, headers: Record<string, string> = {}): AuthResponse {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return [status, text, { 'Content-Type': 'application/json', ...headers }];
}

/** Never responds. */
export function neverRespond(): Promise<never> {
  return new Promise(() => undefined);
}

/** A session verifier with a fixed clock and its log lines. */
export interface TestVerifier {
  readonly sessions: Sessions;
  readonly clock: FixedClock;
  readonly lines: string[];
  /** The metrics in Prometheus format. */
  samples: () => Promise<string>;
}

/** Longer than any test: a busy machine must not look like an auth service that doesn't respond. */
const PATIENT = { timeoutMs: 90_000, readerMs: 90_000, waitMs: 90_000 };

/** Waits for the auth service without a limit, unless the test gives one. */
export function createTestVerifier(authUrl: string, limits: SessionVerifierOptions['limits'] = {}): TestVerifier {
  const clock = fixedClock('2027-01-15T08:00:00Z');
  const lines: string[] = [];
  const logger = createLogger({ service: 'x', level: 'debug', format: 'json', write: (line) => lines.push(line) });
  const metrics = createMetrics('x');
  const sessions = createSessionVerifier({
    ...{ authUrl, clock, logger, metrics },
    limits: { ...PATIENT, ...limits },
  });
  return { sessions, clock, lines, samples: () => metrics.registry.metrics() };
}
