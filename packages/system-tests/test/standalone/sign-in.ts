import { operations, type OperationResponse } from '@lobbystats/contracts';
import type { Account } from '@lobbystats/simulator';
import { getJson, type JsonResponse } from '@lobbystats/test-kit';

export type Reputation = OperationResponse<typeof operations.getReputation>;

/** A user who is signed in at the auth service, with their requests to the site. */
export interface SignedInUser {
  readonly username: string;
  readonly sessionKey: string;
  update(fields: object): Promise<JsonResponse>;
  rate(username: string, rating: object): Promise<JsonResponse>;
  /** Sends the key in the header or in the query. */
  getReputation(username: string, where?: 'header' | 'query'): Promise<JsonResponse<Reputation>>;
  signOut(): Promise<void>;
}

/** URLs of the site and of its network. */
export interface SystemUrls {
  readonly url: string;
  readonly networkUrl: string;
}

/** Signs in at the auth service, as a browser does. */
export async function signIn({ url, networkUrl }: SystemUrls, { email, password }: Account): Promise<SignedInUser> {
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
    getReputation: async (profile, where = 'header') => {
      const path = url + pathTo(operations.getReputation.path, profile);
      return where === 'header'
        ? getJson(`${path}?feedbackLimit=30`, { headers: key })
        : getJson(`${path}?feedbackLimit=30&sessionKey=${encodeURIComponent(sessionKey)}`);
    },
    signOut: async () => {
      expect(await post('/api/auth/logout', { sessionKey })).toMatchObject({ status: 200 });
    },
  };
}

/** Signs in all demo accounts. The site has not verified these sessions yet. */
export async function signInAll(urls: SystemUrls): Promise<SignedInUser[]> {
  const { body: accounts } = await getJson<Account[]>(`${urls.networkUrl}/simulator/accounts`);
  return Promise.all(accounts.map((account) => signIn(urls, account)));
}

/** Sets the faults of the simulator. */
export async function setFaults(networkUrl: string, faults: readonly object[]): Promise<void> {
  const { status } = await getJson(`${networkUrl}/simulator/faults`, { method: 'PUT', ...json({ faults }) });
  expect(status).toBe(200);
}

/** Fills the username into a path. */
export function pathTo(path: string, username: string): string {
  return path.replace(':username', encodeURIComponent(username));
}

function json(body: object, headers: Record<string, string> = {}): RequestInit {
  return { headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(body) };
}
