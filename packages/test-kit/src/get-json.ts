import { expectValidResponse } from './contract-violations.ts';

export interface JsonResponse<Body = unknown> {
  status: number;
  headers: Headers;
  body: Body;
}

/** Uses one connection per request and follows no redirects. @throws Error if the response violates its contract */
export async function getJson<Body = unknown>(url: string, init: RequestInit = {}): Promise<JsonResponse<Body>> {
  const headers = new Headers(init.headers);
  headers.set('connection', 'close');
  const response = await fetch(url, { redirect: 'manual', ...init, headers });
  const text = await response.text();
  const { status, headers: received } = response;
  expectValidResponse({ method: init.method ?? 'GET', url, status, text, header: (name) => received.get(name) });
  const isJson = /^application\/json\b/.test(received.get('content-type') ?? '') && text !== '';
  return { status, headers: received, body: (isJson ? JSON.parse(text) : text) as Body };
}
