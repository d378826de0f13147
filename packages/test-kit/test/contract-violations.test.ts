import { allOperations, operations, pathsOf } from '@lobbystats/contracts';
import { contractViolations, findOperation, type ReceivedResponse } from '@lobbystats/test-kit';

const JSON_TYPE = 'application/json; charset=utf-8';
const HEADERS = { 'x-request-id': 'a-1', 'x-content-type-options': 'nosniff', 'content-type': JSON_TYPE };
const ERROR = { ...HEADERS, 'cache-control': 'no-store' };
const EVENTS = '/api/events';
const GAME = {
  titleId: '4d530064',
  name: 'Harbor Racing',
  title: 'Harbor Racing',
  image: '',
  publisher: '',
  releaseDate: '',
  productCode: '',
};

type ResponseParts = Partial<Omit<ReceivedResponse, 'header' | 'text'>> & {
  body?: unknown;
  text?: string;
  headers?: object;
};

/** The violations of a response; default: a response with a game. */
function violationsOf({ body, text = JSON.stringify(body), headers = HEADERS, ...rest }: ResponseParts): string[] {
  const header = (name: string) => (headers as Record<string, string>)[name] ?? null;
  return contractViolations({ method: 'GET', url: '/api/title/4d530064', status: 200, header, text, ...rest });
}

describe('findOperation', () => {
  it('finds an operation by each of its paths and methods', () => {
    for (const operation of allOperations) {
      const { method, alias = method } = operation;
      for (const one of pathsOf(operation)) {
        for (const by of [method, alias, method.toLowerCase()]) {
          expect(findOperation(by, `http://127.0.0.1:1${one.replace(/:\w+/g, 'x%2Fy')}?a=b/c#d`)?.id).toBe(
            operation.id,
          );
        }
      }
    }
    expect(findOperation('HEAD', EVENTS)).toBe(operations.listEvents);
  });

  it.each(['/', '/api/', '/api/event', '/api/events/', '/api/events/1/2', '/api/title//stats', 'EVENTS'])(
    'finds no operation at %s',
    (path) => {
      expect(findOperation('GET', path)).toBeUndefined();
    },
  );

  it('finds no operation for another method', () => {
    expect(findOperation('POST', EVENTS)).toBeUndefined();
    expect(violationsOf({ method: 'OPTIONS', status: 204, text: '', headers: {} })).toEqual([]);
  });
});

describe('contractViolations', () => {
  it('returns nothing for a response that matches its contract', () => {
    expect(violationsOf({ body: GAME })).toEqual([]);
    expect(violationsOf({ method: 'HEAD', text: '' })).toEqual([]);
    expect(violationsOf({ status: 304, text: '' })).toEqual([]);
    expect(violationsOf({ status: 404, body: { error: 'Unknown title' }, headers: ERROR })).toEqual([]);
    expect(violationsOf({ url: '/nowhere', status: 418, text: 'tea', headers: {} })).toEqual([]);
  });

  it.each([
    ['a field too many', { ...GAME, more: 1 }],
    ['a field too few', { titleId: '4d530064' }],
    ['a field of another kind', { ...GAME, publisher: null }],
    ['a spelling that the schema would repair', { ...GAME, titleId: '4D530064' }],
    ['no JSON', undefined],
  ])('reports a violation for a body with %s', (_, body) => {
    expect(violationsOf(body === undefined ? { text: '{' } : { body })).toHaveLength(1);
  });

  it.each([
    ['a status that it can not have', { status: 403, body: { error: 'No' }, headers: ERROR }],
    ['a fault of its own', { status: 500, body: { error: 'Internal error' }, headers: ERROR }],
    ['no id', { body: GAME, headers: { ...HEADERS, 'x-request-id': 'a b' } }],
    ['a type to be guessed', { body: GAME, headers: { ...HEADERS, 'x-content-type-options': '' } }],
    ['another type', { body: GAME, headers: { ...HEADERS, 'content-type': 'text/html' } }],
    ['a body after HEAD', { method: 'HEAD', body: GAME }],
    ['a body after 304', { status: 304, body: GAME }],
    ['an error that says more', { status: 404, body: { error: 'No', code: 7 }, headers: ERROR }],
    ['an error that says nothing', { status: 404, body: { error: '' }, headers: ERROR }],
    ['an error that is no JSON', { status: 404, text: '<h1>', headers: ERROR }],
    ['an error that may be kept', { status: 404, body: { error: 'No' }, headers: HEADERS }],
    [
      'an error of the inside',
      { status: 503, body: { error: 'connect ECONNREFUSED' }, headers: { ...ERROR, 'retry-after': '5' } },
    ],
    ['no word on when to try again', { status: 503, body: { error: 'Later' }, headers: ERROR }],
    ['no word on what is allowed', { status: 405, body: { error: 'No' }, headers: ERROR }],
  ] satisfies [string, ResponseParts][])('reports a violation for a response with %s', (_, response) => {
    expect(violationsOf(response)).toHaveLength(1);
  });

  it('accepts a map with any names', () => {
    const { id: _, ...activity } = {
      ...{
        id: 1,
        name: '__proto__',
        titleId: '4d530064',
        image: '',
        publisher: '',
        online: 1,
        activeLobbies: 0,
        productCode: '',
      },
      ...{
        hasActiveSession: false,
        sessionCount: 0,
        activeLobbyPlayers: 0,
        lobbyHostNames: [],
        activePlayersDisplay: '',
      },
    };
    const text = (of: object) => `{"__proto__":${JSON.stringify(of)},"constructor":${JSON.stringify(activity)}}`;
    const url = operations.getOnlineUsers.path;
    expect(violationsOf({ url, text: text(activity) })).toEqual([]);
    expect(violationsOf({ url, text: text({ ...activity, online: -1 }) })).toHaveLength(1);
  });

  it('checks rows in the requested format', () => {
    const url = `${operations.getDailyRegistered.path}?format=`;
    const as = (type: string) => ({ ...HEADERS, 'content-type': type });
    const row = '{"date":"2026-01-31","registered_count":7}\n';
    const ndjson = as('application/x-ndjson; charset=utf-8');
    expect(violationsOf({ url: `${url}ndjson`, text: row + row, headers: ndjson })).toEqual([]);
    expect(violationsOf({ url: `${url}ndjson`, text: '', headers: ndjson })).toEqual([]);
    expect(violationsOf({ url: `${url}ndjson`, text: `${row}{"date":"2026-01-32"}\n`, headers: ndjson })).toHaveLength(
      1,
    );
    expect(
      violationsOf({ url: `${url}csv`, text: '', headers: as('text/csv; charset=utf-8; header=present') }),
    ).toHaveLength(1);
    expect(violationsOf({ url: `${url}csv`, text: row, headers: HEADERS })).toHaveLength(2);
  });
});
