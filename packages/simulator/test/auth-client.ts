import type { Account } from '../src/index.ts';
import type { RunningSimulator } from './running-simulator.ts';

/** All accounts, as the door tells them. */
export async function accountsOf({ json }: RunningSimulator): Promise<[Account, ...Account[]]> {
  return json('/simulator/accounts');
}

/** Calls the auth service with a body, in whatever form. */
export function post({ url }: RunningSimulator, call: string, body: unknown): Promise<Response> {
  return fetch(`${url}/api/auth/${call}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** Logs in; the session's key. */
export async function keyOf(simulator: RunningSimulator, { email, password }: Account): Promise<string> {
  const { sessionKey } = (await (await post(simulator, 'login', { email, password })).json()) as { sessionKey: string };
  return sessionKey;
}

/** What the auth service tells a session of `name`. */
export async function read<T>({ get }: RunningSimulator, name: string, sessionKey: string | undefined): Promise<T> {
  const response = await get(`/api/auth/${name}`, { 'x-session-key': sessionKey ?? '' });
  expect(response.status).toBe(200);
  return (await response.json()) as T;
}
