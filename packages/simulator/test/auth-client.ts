import type { Account } from '../src/index.ts';
import type { RunningSimulator } from './running-simulator.ts';

/** All accounts, from the control API. */
export async function fetchAccounts({ json }: RunningSimulator): Promise<[Account, ...Account[]]> {
  return json('/simulator/accounts');
}

/** Calls the auth service with a body; a string is sent unchanged. */
export function post({ url }: RunningSimulator, call: string, body: unknown): Promise<Response> {
  return fetch(`${url}/api/auth/${call}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** Logs in and returns the session key. */
export async function logIn(simulator: RunningSimulator, { email, password }: Account): Promise<string> {
  const { sessionKey } = (await (await post(simulator, 'login', { email, password })).json()) as { sessionKey: string };
  return sessionKey;
}
