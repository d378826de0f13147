import { profileBounds } from '@lobbystats/contracts';
import { readPage } from './page-text.ts';
import { runGateway, UNREACHABLE_URL } from './running-gateway.ts';

describe('login page', () => {
  it('links to the demo accounts of the auth service on a simulated network alone', async () => {
    const env = { AUTH_PUBLIC_URL: `https://auth.example/sign-in/?"'<script>` };
    const simulated = await readPage(await runGateway({ env }), '/login');
    expect(simulated.links('#demo-accounts')).toEqual([
      expect.stringMatching(/^https:\/\/auth\.example\/sign-in\/.*accounts$/),
    ]);
    expect(simulated.document.querySelectorAll('main script')).toHaveLength(0);
    const real = await runGateway({ env: { NETWORK_ORIGIN: 'fans.example' } });
    expect((await readPage(real, '/login')).links('#demo-accounts')).toEqual([]);
  });

  it('has a form that nobody can send without its script', async () => {
    const page = await readPage(await runGateway(), '/login');
    expect(page.document.querySelector('#sign-in button')?.hasAttribute('disabled')).toBe(true);
    expect(page.text('main noscript')).toContain('JavaScript');
  });

  it.each(['/login', '/me'])(
    '%s works while every upstream is down, with the same bytes for all readers',
    async (path) => {
      const down = ['SERIES_API_URL', 'CATALOG_API_URL', 'USER_API_URL', 'REPUTATION_API_URL'];
      const gateway = await runGateway({ env: Object.fromEntries(down.map((name) => [name, UNREACHABLE_URL])) });
      const plain = await gateway.request(path);
      const other = await gateway.request(`${path}?next=%2Fgames&x=1`, {
        headers: { 'X-Session-Key': 'secret', Cookie: 'a=b' },
      });
      expect([plain.status, other.text]).toEqual([200, plain.text]);
      expect(plain.text).not.toContain('secret');
    },
  );
});

describe('own page', () => {
  it('has every field that the API accepts, with labels, and says the bounds', async () => {
    const page = await readPage(await runGateway(), '/me?tab=profile');
    const fields = Array.from(page.document.querySelectorAll('#profile-form [data-field]'), (one) =>
      one.getAttribute('data-field'),
    );
    expect(fields.toSorted()).toEqual([
      'avatar_hue',
      'avatar_url',
      'bio',
      'discord_profile_url',
      'linked_gamertag',
      'social_links',
      'sync_avatar_from_discord',
    ]);
    expect(page.text('#bio-hint')).toContain(String(profileBounds.bio));
    for (const control of page.document.querySelectorAll('main :is(input, textarea)')) {
      const id = control.getAttribute('id') ?? '';
      const labels =
        page.document.querySelectorAll(`label[for="${id}"]`).length + (control.closest('label') === null ? 0 : 1);
      expect([id, labels]).toEqual([id, 1]);
    }
  });

  it('has the offset of its list of ratings in the URL', async () => {
    const gateway = await runGateway();
    expect((await readPage(gateway, '/me?ratingsOffset=25')).status).toBe(200);
    expect((await readPage(gateway, '/me?ratingsOffset=-1')).status).toBe(400);
  });
});
