import { operations } from '@lobbystats/contracts';
import type { Account } from '@lobbystats/simulator';
import { pathTo } from '../standalone/sign-in.ts';

/** A session at the auth service. */
export interface Session {
  readonly username: string;
  readonly sessionKey: string;
}

/** Signs in at the auth service of the network. */
export async function openSession(networkUrl: string, { email, password }: Account): Promise<Session> {
  return (await send(`${networkUrl}/api/auth/login`, 'POST', { email, password })) as Session;
}

/** Writes a profile, and ratings with and without a comment. The responses of both releases are read only by their status. */
export async function writeUserContent(url: string, [first, second, third]: readonly Session[]): Promise<void> {
  if (first === undefined || second === undefined || third === undefined) throw new Error('three sessions are needed');
  const { updateProfile, rateProfile } = operations;
  const rate = (rater: Session, rated: Session, rating: object) =>
    send(url + pathTo(rateProfile.path, rated.username), 'POST', rating, rater.sessionKey);
  await send(url + updateProfile.path, 'PATCH', { bio: 'Before the upgrade.', avatar_hue: 210 }, first.sessionKey);
  await rate(first, second, { stars: 4, comment: 'Fair,\nand never late.' });
  await rate(third, second, { stars: 2 });
  await rate(second, first, { stars: 5, comment: '  ünïcode "quoted"  ' });
}

async function send(url: string, method: string, body: object, sessionKey?: string): Promise<unknown> {
  const response = await fetch(url, {
    method,
    headers: {
      'Content-Type': 'application/json',
      connection: 'close',
      ...(sessionKey !== undefined && { 'X-Session-Key': sessionKey }),
    },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url} answered ${response.status}: ${text}`);
  return JSON.parse(text);
}
