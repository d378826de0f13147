import { allOperations, operations, type Operation } from '@lobbystats/contracts';
import type { AnsweredRequest } from '@lobbystats/openapi';
import { eventually } from '@lobbystats/test-kit';
import { chooseSamples, type CapturedSystem, type Samples } from './choose-samples.ts';

/** What long lists in an answer are cut to. */
const SHOWN = 3;

/** Asks every public operation for something that is worth seeing; gives what was asked and answered, by operation. */
export async function captureExamples(system: CapturedSystem): Promise<Map<string, AnsweredRequest>> {
  const samples = await eventually(() => chooseSamples(system), { timeoutMs: 900_000, everyMs: 1000 });
  const sessionKey = await openSession(system);
  // Those who write come first, so that there is something to read.
  const inOrder = allOperations
    .filter(({ audience }) => audience === 'public')
    .toSorted((one, other) => Number(other.session === 'required') - Number(one.session === 'required'));
  const captured = new Map<string, AnsweredRequest>();
  for (const operation of inOrder)
    captured.set(operation.id, await capture(system.url, operation, samples, sessionKey));
  return captured;
}

async function capture(
  url: string,
  operation: Operation,
  { params, queries, bodies }: Samples,
  sessionKey: string,
): Promise<AnsweredRequest> {
  const own = namesIn(operation.path, operation.gamePath).map((name) => [name, params[name] ?? ''] as const);
  const query = queries[operation.id] ?? {};
  const body = bodies[operation.id];
  const path = operation.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const ask = async (given: Record<string, string>): Promise<string> => {
    const answer = await fetch(`${url}${path}?${new URLSearchParams(given).toString()}`, {
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
    answer: operation.mediaType === undefined ? shortened(operation, JSON.parse(text)) : calendarOf(text),
    ...(operation.rows !== undefined && {
      rows: {
        csv: linesOf(await ask({ ...query, format: 'csv' }), '\r\n', SHOWN + 1),
        ndjson: linesOf(await ask({ ...query, format: 'ndjson' }), '\n', SHOWN),
      },
    }),
  };
}

function namesIn(...paths: (string | undefined)[]): string[] {
  return [...new Set(paths.flatMap((path = '') => Array.from(path.matchAll(/:(\w+)/g), ([, name = '']) => name)))];
}

/** With its first lists cut; of a map of all games those that are played most. */
function shortened({ id }: Operation, json: unknown): unknown {
  if (id !== operations.getOnlineUsers.id) return cut(json);
  const games = Object.entries(operations.getOnlineUsers.answer.parse(json));
  return Object.fromEntries(games.toSorted(([, one], [, other]) => other.online - one.online).slice(0, SHOWN));
}

function cut(json: unknown): unknown {
  if (Array.isArray(json)) return json.slice(0, SHOWN).map(cut);
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, cut(value)]));
}

function linesOf(text: string, end: string, count: number): string {
  return text
    .split(end)
    .slice(0, -1)
    .slice(0, count)
    .map((line) => line + end)
    .join('');
}

/** A calendar with its first event alone. */
function calendarOf(text: string): string {
  const [first = text] = /^[^]*?END:VEVENT\r\n/.exec(text) ?? [];
  return `${first}END:VCALENDAR\r\n`;
}

async function openSession({ networkUrl, simulator }: CapturedSystem): Promise<string> {
  const { email = '', password = '' } = simulator.accounts[0] ?? {};
  const answer = await fetch(`${networkUrl}/api/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  const { sessionKey } = (await answer.json()) as { sessionKey: string };
  return sessionKey;
}
