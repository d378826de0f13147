import type { AskOptions } from '../../../services/gateway/test/ask.ts';

/** A write as a caller sends it. */
export function posted(body: unknown, headers: Readonly<Record<string, string>> = {}): AskOptions {
  return {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  };
}
