import { getJson } from '@lobbystats/test-kit';
import type { Account } from '@lobbystats/simulator';
import { signIn, type SignedInUser } from '../../standalone/sign-in.ts';
import type { Stage } from '../stages/stage.ts';

/** Signs in all demo accounts. The site has not verified these sessions yet. */
export async function freshSessions({ url, networkUrl }: Stage): Promise<SignedInUser[]> {
  const { body: accounts } = await getJson<Account[]>(`${networkUrl}/simulator/accounts`);
  return Promise.all(accounts.map((account) => signIn({ url, networkUrl }, account)));
}
