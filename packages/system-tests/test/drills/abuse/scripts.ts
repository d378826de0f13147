import { operations } from '@lobbystats/contracts';
import { links } from '@lobbystats/site/links';
import { findChromium, launchChromium } from '@lobbystats/test-kit';
import { expect } from 'expect';
import { pathTo } from '../../standalone/sign-in.ts';
import { SkippedError, type SharedDrill } from '../drill.ts';

const SCRIPT = '<script>window.drill=1</script><img src=x onerror="window.drill=2"><svg onload="window.drill=3">';

export const scripts: SharedDrill = {
  number: 23,
  name: 'scripts in user content, in a real browser',
  on: 'either',
  run: async (stage) => {
    if (findChromium() === undefined) throw new SkippedError('there is no Chromium here (CHROMIUM_PATH)');
    const [user, other] = stage.users;
    const comment = `${SCRIPT} drill`;
    const linked = await user.update({
      social_links: [{ platform: 'site', url: 'javascript:window.drill=4', label: null }],
    });
    expect([400, 403]).toContain(linked.status);
    expect(await user.update({ bio: SCRIPT })).toMatchObject({ status: 200 });
    expect(await user.rate(other.username, { stars: 3, comment })).toMatchObject({ status: 200 });
    const browser = await launchChromium();
    const checkedPaths: string[] = [];
    try {
      const context = await browser.newContext();
      const page = await context.newPage();
      const faults: string[] = [];
      page.on('dialog', (dialog) => {
        faults.push('a dialog');
        void dialog.dismiss();
      });
      // As documents of their own, whatever a browser makes of their type.
      for (const path of [
        pathTo(operations.getProfile.path, user.username),
        pathTo(operations.getReputation.path, other.username),
      ]) {
        await page.goto(stage.url + path);
        expect(await page.evaluate('window.drill')).toBeUndefined();
        expect(await page.evaluate('document.scripts.length + document.images.length')).toBe(0);
        checkedPaths.push(path);
      }
      // On the pages that show the biography and the comment.
      await page.goto(stage.url + links.login);
      const account = await fetchAccount(stage.networkUrl, user.username);
      await page.getByLabel('E-mail').fill(account.email);
      await page.getByLabel('Password').fill(account.password);
      await page.keyboard.press('Enter');
      await page.waitForURL(stage.url + links.me());
      for (const username of [user.username, other.username]) {
        const path = links.player(username);
        await page.goto(stage.url + path);
        await page.getByText(SCRIPT).first().waitFor();
        expect(await page.evaluate('window.drill')).toBeUndefined();
        checkedPaths.push(path);
      }
      // The policy stops a script that gets into the page.
      await page.evaluate(`document.body.insertAdjacentHTML('beforeend', ${JSON.stringify(SCRIPT)})`);
      await page.evaluate(
        `document.body.append(Object.assign(document.createElement('script'), { textContent: 'window.drill=5' }))`,
      );
      expect(await page.evaluate('window.drill')).toBeUndefined();
      expect(faults).toEqual([]);
    } finally {
      await browser.close();
      await user.update({ bio: '' });
    }
    return [
      `a link to javascript: is ${linked.status}; shown as text at ${checkedPaths.join(', ')}; put into the page by force, the policy stops it`,
    ];
  },
};

async function fetchAccount(networkUrl: string, username: string): Promise<{ email: string; password: string }> {
  const answer = await fetch(`${networkUrl}/simulator/accounts`);
  const accounts = (await answer.json()) as { email: string; password: string; username: string }[];
  const account = accounts.find((one) => one.username === username);
  if (account === undefined) throw new Error(`${username} has no account`);
  return account;
}
