import { getJson } from '@lobbystats/test-kit';
import type { Account } from '@lobbystats/simulator';
import { logIn, type LoggedIn } from '../../../services/standalone/test/site-sessions.ts';
import type { Stage } from '../stages/stage.ts';

/** All accounts of the simulated network, logged in anew: the site has not heard of these sessions. */
export async function freshSessions({ url, networkUrl }: Stage): Promise<LoggedIn[]> {
  const { body: accounts } = await getJson<Account[]>(`${networkUrl}/simulator/accounts`);
  return Promise.all(accounts.map((account) => logIn({ url, networkUrl }, account)));
}
