import { nock } from '@lobbystats/test-kit/nock';
import { fakeAuth, type FakeAuth } from './fake-auth.ts';

/** A fake auth service at a URL mocked by nock. */
export function mockAuth(
  users: Record<string, string> = {},
  url = 'http://auth.example',
): FakeAuth & { readonly url: string } {
  const auth = fakeAuth(users);
  nock(url)
    .persist()
    .post('/api/auth/verify')
    .optionally()
    .reply(async (request: Request) => auth.respond(await request.json()));
  return Object.assign(auth, { url });
}
