import nock from 'nock';

export interface MockedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export function requestsTo(host: nock.Scope): MockedRequest[] {
  const requests: MockedRequest[] = [];
  host.on('request', ({ method, url, headers }: Request) => {
    const { pathname, search } = new URL(url);
    requests.push({ method, url: pathname + search, headers: Object.fromEntries(headers) });
  });
  return requests;
}

// nock answers such a request with 501, which may look like an outage.
const unmatched: string[] = [];
function noteUnmatched({ method, url }: Request, interceptors?: readonly unknown[]): void {
  if (interceptors !== undefined) unmatched.push(`${method} ${url}`);
}

// The suites of a worker share nock.
if (!nock.isActive()) nock.activate();
nock.emitter.on('no match', noteUnmatched);

// Services stopped in a suite's own afterEach send requests until then.
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

// Otherwise nock slows the worker's further suites.
afterAll(() => {
  nock.emitter.off('no match', noteUnmatched);
  nock.cleanAll();
  nock.restore();
});

export { nock };
