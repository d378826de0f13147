import { createClient, type Client } from '@lobbystats/client';
import { expectValidResponse } from '@lobbystats/test-kit';

/** A busy machine answers reads with 503 for some seconds. */
const RETRIES = 5;

/** A client that checks every response against the contracts and uses one connection per request, as `getJson` does. */
export function siteClient(url: string, sessionKey?: string): Client {
  let fault: { error: unknown } | undefined;
  // The client repeats reads without a response too: a lost connection or a violation of a contract stays one.
  const fetchUntilFault = async (path: string, init: RequestInit): Promise<Response> => {
    if (fault !== undefined) throw fault.error;
    try {
      return await fetchOnContract(path, init);
    } catch (error) {
      fault = { error };
      throw error;
    }
  };
  return createClient({ baseUrl: url, sessionKey, retries: RETRIES, fetch: fetchUntilFault });
}

async function fetchOnContract(url: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('connection', 'close');
  const answer = await fetch(url, { redirect: 'manual', ...init, headers });
  const { status } = answer;
  const text = await answer.clone().text();
  expectValidResponse({ method: init.method ?? 'GET', url, status, text, header: (name) => answer.headers.get(name) });
  return answer;
}
