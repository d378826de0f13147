import { deepStrictEqual as deepEqual } from 'node:assert';
import { operations, type Operation } from '@lobbystats/contracts';
import { post, TITLE } from './board-passes.ts';
import { HOSTILE, rowsOf, runSearchable, withQuery } from './searchable-catalog.ts';
import type { ApiResponse, RunningCatalog } from './running-catalog.ts';

let catalog: RunningCatalog;
let before: unknown[];
beforeAll(async () => {
  catalog = await runSearchable();
  before = await everything();
});
afterAll(async () => {
  deepEqual(await everything(), before);
  await catalog.stop();
});

/** All stored data that the lists return. */
const everything = async () => {
  const { listGames, listChanges, listTitles } = operations;
  const answers = await Promise.all(
    [listGames.path, listChanges.path, listTitles.path].map((path) => catalog.get(path)),
  );
  return answers.map(({ body }) => body);
};

const OWN = Object.values(operations as Readonly<Record<string, Operation>>).filter(
  ({ upstream }) => upstream === 'catalog-api',
);
const DIGITS = '9'.repeat(10_000);
/** URL-encoded. */
const ENCODED: readonly (readonly [what: string, text: string])[] = [
  ['nothing but a NUL', '%00'],
  ['a NUL inside', `${TITLE}%00`],
  ['a slash', '%2F'],
  ['a way up', `..%2F..%2F${TITLE}`],
  ['a backslash', '%5C..%5C'],
  ['an incomplete escape', '%'],
  ['no UTF-8', '%FF%FE'],
  ['a lone surrogate', '%ED%A0%80'],
  ['a number of 10,000 digits', DIGITS],
  ['a number of 1,000 digits', DIGITS.slice(9000)],
  ['a negative number', '-1'],
  ['a fraction', '1.5'],
  ['a number in another notation', '0x10'],
  ['an operator', '$ne'],
  ['an operator as JSON', '%7B%22%24gt%22%3A%22%22%7D'],
  ['a pattern', '.*'],
  ['more of a pattern', '(a%2B)%2B%24'],
  ['a property of all objects', '__proto__'],
  ['SQL', "'%20OR%201%3D1%20--"],
];

/** The path with its parameters filled in. */
function pathOf({ path }: Pick<Operation, 'path'>, parameters: Readonly<Record<string, string>> = {}): string {
  const usual: Readonly<Record<string, string>> = { titleId: TITLE, leaderboardId: '1', eventId: '1', player: 'Pike' };
  return path.replace(/:(\w+)/g, (_, name: string) => parameters[name] ?? usual[name] ?? '');
}

/** Sends the path unchanged. */
async function send(operation: Operation, path: string): Promise<ApiResponse> {
  return operation.method === 'POST' ? post(catalog, path, { players: [{ playerName: 'Pike', rank: 1 }] }) : raw(path);
}

async function raw(path: string): Promise<ApiResponse> {
  const response = await fetch(catalog.url + path);
  const text = await response.text();
  const isJson = (response.headers.get('content-type') ?? '').startsWith('application/json');
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}

/** Expects a 200 (the service checks it against its contract) or one of the errors. */
function expectResponse({ status, body }: ApiResponse, ...refusals: number[]): void {
  if (status !== 200) expect([refusals.includes(status), body]).toEqual([true, { error: expect.any(String) }]);
}

describe.each(OWN.map((operation) => [operation.id, operation] as const))('%s', (_, operation) => {
  const parameters = Object.keys(operation.params.shape);
  const fields = Object.keys(operation.query.shape);

  it.each(ENCODED)('returns a valid response or a 4xx error for %s in the path', async (_what, text) => {
    const asked = parameters.map((name) => send(operation, pathOf(operation, { [name]: text })));
    for (const answer of await Promise.all(asked)) expectResponse(answer, 400, 404, ...(text === DIGITS ? [414] : []));
  });

  it.each(ENCODED)('returns a valid response or a 4xx error for %s in the query', async (_what, text) => {
    const path = pathOf(operation);
    const asked = fields.map((name) => send(operation, `${path}?${name}=${text}`));
    asked.push(send(operation, `${path}?${text}=1`), send(operation, `${path}?__proto__[limit]=${text}`));
    for (const answer of await Promise.all(asked)) expectResponse(answer, 400, 404, ...(text === DIGITS ? [414] : []));
  });

  it('returns a valid response or a 4xx error for names of parameters that other servers read as structures', async () => {
    const names = fields.flatMap((name) => [`${name}[$gt]=1`, `${name}[]=1&${name}[]=`, `${name}=1&${name}=$ne`]);
    const answers = await Promise.all(names.map((query) => send(operation, `${pathOf(operation)}?${query}`)));
    for (const answer of answers) expectResponse(answer, 400, 404);
  });
});

describe('search by ranks with a malformed body', () => {
  const path = operations.searchByRanks.path;
  const pair = (value: string) => `{"players":[{"playerName":"Pike","rank":${value}}]}`;

  it.each([
    ['an operator for a name', '{"players":[{"playerName":{"$ne":null},"rank":1}]}'],
    ['a pattern for a name', '{"players":[{"playerName":{"$regex":".*"},"rank":1}]}'],
    ['an operator for a rank', pair('{"$gte":0}')],
    ['a list for a rank', pair('[1]')],
    ['a rank of 10,000 digits', pair(DIGITS)],
    ['a rank that is SQL', pair(`"1' OR 1=1 --"`)],
    ['a rank of 10,000 digits as text', pair(`"${DIGITS}"`)],
    ['an operator for the title', '{"players":[{"playerName":"Pike","rank":1}],"titleId":{"$ne":""}}'],
    ['code', '{"$where":"sleep(1000)"}'],
    ['a list', '[]'],
    ['nothing', ''],
    ['no JSON', '{"players":'],
    ['very deep JSON', '['.repeat(50_000)],
    ['a name of 100,000 characters', `{"players":[{"playerName":"${'a'.repeat(100_000)}","rank":1}]}`],
  ])('rejects a body with %s', async (_, body) => {
    const answer = await post(catalog, path, body);
    expect([400, 413]).toContain(answer.status);
    expect(answer.body).toEqual({ error: expect.any(String) });
  });

  it('rejects a lone surrogate and ignores fields named like prototype properties', async () => {
    const surrogate = await post(catalog, path, '{"players":[{"playerName":"\\ud800","rank":1}]}');
    expectResponse(surrogate, 400);
    const polluted = await post(
      catalog,
      path,
      '{"__proto__":{"titleId":"ffffffff"},"constructor":{"prototype":{"titleId":"ffffffff"}},"players":[{"playerName":"Pike","rank":1}]}',
    );
    expect(polluted).toMatchObject({ status: 200, body: { titleId: null } });
  });
});

describe('player names with special characters', () => {
  it.each(HOSTILE)('finds a player by the literal name %j', async (name) => {
    const one = await catalog.get(pathOf(operations.searchOnePlayer, { player: encodeURIComponent(name) }));
    const several = await catalog.get(withQuery(operations.searchByPlayers.path, { names: name }));
    const rank = HOSTILE.indexOf(name) + 1;
    const ranked = await post(catalog, operations.searchByRanks.path, { players: [{ playerName: name, rank }] });
    for (const answer of [one, several, ranked]) expect([answer.status, rowsOf(answer).length]).toEqual([200, 1]);
    expect(rowsOf(several)).toMatchObject([{ playerName: name, rank }]);
  });
});
