import { operations, type OperationAnswer } from '@lobbystats/contracts';
import type { Account } from '@lobbystats/simulator';
import { getJson, type JsonAnswer } from '@lobbystats/test-kit';

export type Reputation = OperationAnswer<typeof operations.getReputation>;

/** Somebody who is logged in at the auth service, and what they do on the site. */
export interface LoggedIn {
  readonly username: string;
  readonly sessionKey: string;
  update(fields: object): Promise<JsonAnswer>;
  rate(username: string, rating: object): Promise<JsonAnswer>;
  /** With the key in the header, or in the query. */
  reputationOf(username: string, where?: 'header' | 'query'): Promise<JsonAnswer<Reputation>>;
  logOut(): Promise<void>;
}

/** Where the site is, and where its auth service. */
export interface Places {
  readonly url: string;
  readonly networkUrl: string;
}

/** Logs in at the auth service, as a browser does. */
export async function logIn({ url, networkUrl }: Places, { email, password }: Account): Promise<LoggedIn> {
  const post = (path: string, body: object) => getJson(networkUrl + path, { method: 'POST', ...json(body) });
  const { status, body } = await post('/api/auth/login', { email, password });
  expect(status).toBe(200);
  const { sessionKey, username } = body as { sessionKey: string; username: string };
  const key = { 'X-Session-Key': sessionKey };
  return {
    username,
    sessionKey,
    update: async (fields) =>
      getJson(url + operations.updateProfile.path, { method: 'PATCH', ...json({ ...fields, sessionKey }) }),
    rate: async (profile, rating) =>
      getJson(url + pathTo(operations.rateProfile.path, profile), { method: 'POST', ...json(rating, key) }),
    reputationOf: async (profile, where = 'header') => {
      const path = url + pathTo(operations.getReputation.path, profile);
      return where === 'header'
        ? getJson(`${path}?feedbackLimit=30`, { headers: key })
        : getJson(`${path}?feedbackLimit=30&sessionKey=${encodeURIComponent(sessionKey)}`);
    },
    logOut: async () => {
      expect(await post('/api/auth/logout', { sessionKey })).toMatchObject({ status: 200 });
    },
  };
}

/** Lets the simulator misbehave. */
export async function setFaults(networkUrl: string, faults: readonly object[]): Promise<void> {
  const { status } = await getJson(`${networkUrl}/simulator/faults`, { method: 'PUT', ...json({ faults }) });
  expect(status).toBe(200);
}

/** The path of what belongs to somebody. */
export function pathTo(path: string, username: string): string {
  return path.replace(':username', encodeURIComponent(username));
}

function json(body: object, headers: Record<string, string> = {}): RequestInit {
  return { headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(body) };
}
