import { allOperations, operations, sampleRequest, type Operation, type SampleValues } from '@lobbystats/contracts';
import type { OperationExample } from '@lobbystats/contracts/openapi';
import { eventually } from '@lobbystats/test-kit';
import { chooseSamples, type CapturedSystem } from './choose-samples.ts';

/** Long lists in a response are truncated to this length. */
const MAX_ITEMS = 3;

/** Requests a representative response of every public operation. Returns requests and responses by operation ID. */
export async function captureExamples(system: CapturedSystem): Promise<Map<string, OperationExample>> {
  const samples = await eventually(() => chooseSamples(system), { timeoutMs: 900_000, everyMs: 1000 });
  const sessionKey = await openSession(system, 0);
  await rateFirstAccount(system);
  const inOrder = allOperations
    .filter(({ audience }) => audience === 'public')
    .toSorted((one, other) => captureOrder(one) - captureOrder(other));
  const captured = new Map<string, OperationExample>();
  for (const operation of inOrder)
    captured.set(operation.id, await capture(system.url, operation, samples, sessionKey));
  return captured;
}

/** Writes come first, so that there is data to read, and removals last. */
function captureOrder({ method, session }: Operation): number {
  if (method === 'DELETE') return 2;
  return method === 'POST' && session === 'required' ? 0 : 1;
}

async function capture(
  url: string,
  operation: Operation,
  values: SampleValues,
  sessionKey: string,
): Promise<OperationExample> {
  const { target, body } = sampleRequest(operation, values);
  const own = namesIn(operation.path, operation.gamePath).map((name) => [name, values[name] ?? ''] as const);
  const { pathname, searchParams } = new URL(target, url);
  const query = Object.fromEntries(searchParams);
  const ask = async (searchParams: Record<string, string>): Promise<string> => {
    const answer = await fetch(`${url}${pathname}?${new URLSearchParams(searchParams).toString()}`, {
      method: operation.method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      headers: {
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(operation.session === 'required' && { 'X-Session-Key': sessionKey }),
      },
    });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${operation.id} answered ${answer.status}: ${text}`);
    return text;
  };
  const text = await ask(query);
  return {
    params: Object.fromEntries(own),
    query,
    ...(body !== undefined && { body }),
    answer: operation.mediaType === undefined ? shortenResponse(operation, JSON.parse(text)) : shortenText(text),
    ...(operation.rows !== undefined && {
      rows: {
        csv: linesOf(await ask({ ...query, format: 'csv' }), '\r\n', MAX_ITEMS + 1),
        ndjson: linesOf(await ask({ ...query, format: 'ndjson' }), '\n', MAX_ITEMS),
      },
    }),
  };
}

function namesIn(...paths: (string | undefined)[]): string[] {
  return [...new Set(paths.flatMap((path = '') => Array.from(path.matchAll(/:(\w+)/g), ([, name = '']) => name)))];
}

/** Truncates lists; a map of all games is reduced to the most played ones. */
function shortenResponse({ id }: Operation, json: unknown): unknown {
  if (id !== operations.getOnlineUsers.id) return truncateLists(json);
  const games = Object.entries(operations.getOnlineUsers.response.parse(json));
  return Object.fromEntries(games.toSorted(([, one], [, other]) => other.online - one.online).slice(0, MAX_ITEMS));
}

function truncateLists(json: unknown): unknown {
  if (Array.isArray(json)) return json.slice(0, MAX_ITEMS).map(truncateLists);
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, truncateLists(value)]));
}

function linesOf(text: string, end: string, count: number): string {
  return text
    .split(end)
    .slice(0, -1)
    .slice(0, count)
    .map((line) => line + end)
    .join('');
}

/** A calendar with its first event only; other texts whole. */
function shortenText(text: string): string {
  if (!text.startsWith('BEGIN:VCALENDAR')) return text;
  const [upToFirst] = /^[^]*?END:VEVENT\r\n/.exec(text) ?? [];
  return upToFirst === undefined ? text : `${upToFirst}END:VCALENDAR\r\n`;
}

/** A comment on the profile of the first account, for the example of a report. */
async function rateFirstAccount(system: CapturedSystem): Promise<void> {
  const { method, path } = operations.rateProfile;
  const { username = '' } = system.simulator.accounts[0] ?? {};
  const { status } = await fetch(system.url + path.replace(':username', encodeURIComponent(username)), {
    method,
    headers: { 'Content-Type': 'application/json', 'X-Session-Key': await openSession(system, 1) },
    body: JSON.stringify({ stars: 2, comment: 'Left before the start.' }),
  });
  if (status !== 200) throw new Error(`the rating of ${username} answered ${status}`);
}

async function openSession({ networkUrl, simulator }: CapturedSystem, account: number): Promise<string> {
  const { email = '', password = '' } = simulator.accounts[account] ?? {};
  const answer = await fetch(`${networkUrl}/api/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  const { sessionKey } = (await answer.json()) as { sessionKey: string };
  return sessionKey;
}
