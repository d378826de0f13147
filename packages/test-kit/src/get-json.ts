/** What came back: the body parsed where it is JSON, else its text. */
export interface JsonAnswer<Body = unknown> {
  status: number;
  headers: Headers;
  body: Body;
}

/**
 * Asks over HTTP, on a connection of its own, so that no server has to wait for it when it stops. Redirects are not
 * followed.
 */
export async function getJson<Body = unknown>(url: string, init: RequestInit = {}): Promise<JsonAnswer<Body>> {
  const headers = new Headers(init.headers);
  headers.set('connection', 'close');
  const answer = await fetch(url, { redirect: 'manual', ...init, headers });
  const text = await answer.text();
  const isJson = /^application\/json\b/.test(answer.headers.get('content-type') ?? '') && text !== '';
  return { status: answer.status, headers: answer.headers, body: (isJson ? JSON.parse(text) : text) as Body };
}
