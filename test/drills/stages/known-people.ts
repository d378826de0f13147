import { operations } from '@lobbystats/contracts';
import type { Account } from '@lobbystats/simulator';
import { eventually, getJson } from '@lobbystats/test-kit';
import { logIn, pathTo, type LoggedIn } from '../../../services/standalone/test/site-sessions.ts';

/** Logs in two of the simulator's accounts whom the site knows already. */
export async function knownPeople(url: string, networkUrl: string): Promise<[LoggedIn, LoggedIn]> {
  return eventually(
    async () => {
      const { body: accounts } = await getJson<Account[]>(`${networkUrl}/simulator/accounts`);
      const known: Account[] = [];
      for (const account of accounts) {
        const { status } = await getJson(url + pathTo(operations.getProfile.path, account.username));
        if (status === 200) known.push(account);
      }
      const [one, other] = known;
      if (one === undefined || other === undefined) throw new Error('too few people are known yet');
      return [await logIn({ url, networkUrl }, one), await logIn({ url, networkUrl }, other)];
    },
    { timeoutMs: 240_000, everyMs: 1000 },
  );
}
