import type { TestRequestOptions } from '../../../services/gateway/test/ask.ts';

/** Options of a POST with a JSON body. */
export function postOptions(body: unknown, headers: Readonly<Record<string, string>> = {}): TestRequestOptions {
  return {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  };
}
