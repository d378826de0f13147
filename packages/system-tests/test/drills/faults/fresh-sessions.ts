import { getJson } from '@lobbystats/test-kit';
import type { Account } from '@lobbystats/simulator';
import { signIn, type SignedInUser, type SystemUrls } from '../../standalone/sign-in.ts';

/** Signs in all demo accounts. The site has not verified these sessions yet. */
export async function freshSessions(urls: SystemUrls): Promise<SignedInUser[]> {
  const { body: accounts } = await getJson<Account[]>(`${urls.networkUrl}/simulator/accounts`);
  return Promise.all(accounts.map((account) => signIn(urls, account)));
}
