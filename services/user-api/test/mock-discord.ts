import { nock, requestsTo, type MockedRequest } from '@lobbystats/test-kit/nock';

type Answer = nock.ReplyFnResult;

export const DISCORD_API_URL = 'http://discord.example';

export interface MockedDiscord {
  readonly asked: MockedRequest[];
  /** How it answers from now on. */
  answer: (id: string) => Answer | Promise<Answer>;
}

/** Discord's API as nock answers for it: it knows every number, with an avatar each. */
export function mockDiscord(): MockedDiscord {
  const host = nock(DISCORD_API_URL).persist();
  const discord: MockedDiscord = { asked: requestsTo(host), answer: user };
  host
    .get(/\/users\/\d+$/)
    .optionally()
    .reply(({ url }: Request) => discord.answer(url.split('/').at(-1) ?? ''));
  return discord;
}

/** A user as Discord answers with one. */
export function user(id: string, fields: object = {}): Answer {
  return [200, { username: 'somebody', global_name: null, avatar: 'a_0123abcd', id, ...fields }];
}
