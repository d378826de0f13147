import type { TestRequestOptions } from '@lobbystats/test-kit/send-request';

/** Options of a POST with a JSON body. */
export function postOptions(body: unknown, headers: Readonly<Record<string, string>> = {}): TestRequestOptions {
  return {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  };
}
