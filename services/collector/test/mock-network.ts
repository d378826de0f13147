import { nock, requestsTo, type MockedRequest } from '@lobbystats/test-kit/nock';

export type Answer = nock.ReplyFnResult;

/** A host that nock answers for. */
export const NETWORK = 'http://network.example';

/** A page as the network serves it. */
export function html(body: string, headers: Record<string, string> = {}, status = 200) {
  return [status, body, { 'Content-Type': 'text/html; charset=utf-8', ...headers }] as const;
}

/** A network that gives one answer to every request; by default it has no page. */
export function mockNetwork(answer: Answer = [404]): MockedRequest[] {
  const host = nock(NETWORK).persist();
  host.get(/^/).reply(() => answer);
  return requestsTo(host);
}

/**
 * A network whose one page is the test's, and all else the simulated network's.
 *
 * @param path the page's, without its query
 * @param simulated the simulated network's address
 */
export function mockPage(path: string, simulated: string, answer: (request: Request) => Answer): MockedRequest[] {
  const host = nock(NETWORK).persist();
  host.get(path).query(true).optionally().reply(answer);
  host
    .get(/^/)
    .optionally()
    .reply(async ({ url }: Request) => {
      const { status, headers, ...body } = await fetch(url.replace(NETWORK, simulated)).then(async (response) => ({
        status: response.status,
        headers: response.headers,
        text: await response.text(),
      }));
      return [status, body.text, { 'Content-Type': headers.get('content-type') ?? '' }];
    });
  return requestsTo(host);
}
