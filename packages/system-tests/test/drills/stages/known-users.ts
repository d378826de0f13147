import { operations } from '@lobbystats/contracts';
import type { Account } from '@lobbystats/simulator';
import { eventually, getJson } from '@lobbystats/test-kit';
import { signIn, pathTo, type SignedInUser } from '../../standalone/sign-in.ts';

/** Signs in two demo accounts that the site knows. */
export async function signInKnownUsers(url: string, networkUrl: string): Promise<[SignedInUser, SignedInUser]> {
  return eventually(
    async () => {
      const { body: accounts } = await getJson<Account[]>(`${networkUrl}/simulator/accounts`);
      const known: Account[] = [];
      for (const account of accounts) {
        const { status } = await getJson(url + pathTo(operations.getProfile.path, account.username));
        if (status === 200) known.push(account);
      }
      const [one, other] = known;
      if (one === undefined || other === undefined) throw new Error('too few users are known yet');
      return [await signIn({ url, networkUrl }, one), await signIn({ url, networkUrl }, other)];
    },
    { timeoutMs: 240_000, everyMs: 1000 },
  );
}
