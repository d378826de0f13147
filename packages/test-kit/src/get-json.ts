import { expectOnContract } from './faults-of-answer.ts';

export interface JsonAnswer<Body = unknown> {
  status: number;
  headers: Headers;
  body: Body;
}

/**
 * One connection for each request; redirects are not followed. Throws for answers off their contract.
 *
 * @throws Error where an operation answers off its contract
 */
export async function getJson<Body = unknown>(url: string, init: RequestInit = {}): Promise<JsonAnswer<Body>> {
  const headers = new Headers(init.headers);
  headers.set('connection', 'close');
  const answer = await fetch(url, { redirect: 'manual', ...init, headers });
  const text = await answer.text();
  const { status, headers: received } = answer;
  expectOnContract({ method: init.method ?? 'GET', url, status, text, header: (name) => received.get(name) });
  const isJson = /^application\/json\b/.test(received.get('content-type') ?? '') && text !== '';
  return { status, headers: received, body: (isJson ? JSON.parse(text) : text) as Body };
}
