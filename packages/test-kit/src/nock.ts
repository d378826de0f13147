import nock from 'nock';

/** A request that nock answered. */
export interface MockedRequest {
  readonly method: string;
  /** The path with its query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The requests to a host from now on, in the order in which they come. */
export function requestsTo(host: nock.Scope): MockedRequest[] {
  const requests: MockedRequest[] = [];
  host.on('request', ({ method, url, headers }: Request) => {
    const { pathname, search } = new URL(url);
    requests.push({ method, url: pathname + search, headers: Object.fromEntries(headers) });
  });
  return requests;
}

// nock answers such a request with 501, which the code under test may take for an outage.
const unmatched: string[] = [];
nock.emitter.on('no match', ({ method, url }, interceptors) => {
  if (interceptors !== undefined) unmatched.push(`${method} ${url}`);
});

// Services that a suite stops in its own afterEach send requests until then.
beforeEach(() => {
  nock.cleanAll();
  unmatched.length = 0;
});

afterEach(() => {
  const faults = [
    ...nock.pendingMocks().map((request) => `No request came: ${request}`),
    ...unmatched.map((request) => `No interceptor matched: ${request}`),
  ];
  if (faults.length > 0) throw new Error(faults.join('\n'));
});

// nock stays in the sockets of the worker otherwise, and makes the requests of all further suites slower.
afterAll(() => {
  nock.cleanAll();
  nock.restore();
});

export { nock };
