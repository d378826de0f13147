import { nock, requestsTo, type MockedRequest } from '@lobbystats/test-kit/nock';

type Answer = nock.ReplyFnResult;

export const DISCORD_API_URL = 'http://discord.example';

export interface MockedDiscord {
  readonly requests: MockedRequest[];
  /** Returns the responses from now on. */
  answer: (id: string) => Answer | Promise<Answer>;
}

/** Mocks the Discord API: every ID is known and has an avatar. */
export function mockDiscord(): MockedDiscord {
  const host = nock(DISCORD_API_URL).persist();
  const discord: MockedDiscord = { requests: requestsTo(host), answer: user };
  host
    .get(/\/users\/\d+$/)
    .optionally()
    .reply(({ url }: Request) => discord.answer(url.split('/').at(-1) ?? ''));
  return discord;
}

/** Returns a response with a Discord user. */
export function user(id: string, fields: object = {}): Answer {
  return [200, { username: 'somebody', global_name: null, avatar: 'a_0123abcd', id, ...fields }];
}
