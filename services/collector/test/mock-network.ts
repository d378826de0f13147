import { nock, requestsTo, type MockedRequest } from '@lobbystats/test-kit/nock';

export type MockResponse = nock.ReplyFnResult;

/** A host that nock answers for. */
export const NETWORK = 'http://network.example';

/** A page as the network serves it. */
export function html(body: string, headers: Record<string, string> = {}, status = 200) {
  return [status, body, { 'Content-Type': 'text/html; charset=utf-8', ...headers }] as const;
}

/** A network that sends the same response to every request; default: 404. */
export function mockNetwork(answer: MockResponse = [404]): MockedRequest[] {
  const host = nock(NETWORK).persist();
  host.get(/^/).reply(() => answer);
  return requestsTo(host);
}

/**
 * A network with one page of the test; all other requests go to the simulated network.
 *
 * @param path the page's, without its query
 * @param simulated the simulated network's address
 */
export function mockPage(
  path: string,
  simulated: string,
  answer: (request: Request) => MockResponse | Promise<MockResponse>,
): MockedRequest[] {
  const host = nock(NETWORK).persist();
  host.get(path).query(true).optionally().reply(answer);
  host
    .get(/^/)
    .optionally()
    .reply(async ({ url }: Request) => {
      const { status, headers, ...body } = await fetch(url.replace(NETWORK, simulated)).then(async (response) => ({
        status: response.status,
        headers: response.headers,
        bytes: Buffer.from(await response.arrayBuffer()),
      }));
      return [status, body.bytes, { 'Content-Type': headers.get('content-type') ?? '' }];
    });
  return requestsTo(host);
}
