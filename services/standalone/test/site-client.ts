import { createClient, type Client } from '@lobbystats/client';
import { expectOnContract } from '@lobbystats/test-kit';

/** A client of the site: every answer is held to the contracts, each comes on a connection of its own, as with `getJson`. */
export function siteClient(url: string, sessionKey?: string): Client {
  return createClient({ baseUrl: url, sessionKey, fetch: fetchOnContract });
}

async function fetchOnContract(url: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('connection', 'close');
  const answer = await fetch(url, { redirect: 'manual', ...init, headers });
  const { status } = answer;
  const text = await answer.clone().text();
  expectOnContract({ method: init.method ?? 'GET', url, status, text, header: (name) => answer.headers.get(name) });
  return answer;
}
