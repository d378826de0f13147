import { operations } from '@lobbystats/contracts';
import { eventually, expectValidResponse, fixedClock, getJson } from '@lobbystats/test-kit';
import fc from 'fast-check';
import { readDocument, type DocumentedRequest, type FuzzDocument } from './fuzz-document.ts';
import { requestsFor, send, type KnownValues, type FuzzRequest } from './fuzz-requests.ts';
import { runSystem, type RunningSystem } from './run-system.ts';
import { signIn, pathTo } from './sign-in.ts';

const clock = fixedClock('2026-01-31T12:00:05Z');
let system: RunningSystem;
let document: FuzzDocument;
let known: KnownValues;
let keys: string[];

beforeAll(async () => {
  system = await runSystem({
    clock,
    world: { titles: 10, openMatches: 4, players: 100, boards: 10, entries: 200 },
    env: { BACKFILL_DAYS: '1' },
    scope: 'file',
  });
  const [fox, marlow] = system.simulator.accounts;
  const sessions = await Promise.all([signIn(system, fox!), signIn(system, marlow!)]);
  keys = sessions.map(({ sessionKey }) => sessionKey);
  known = await eventually(() => fetchKnownValues(sessions.map(({ username }) => username)), { everyMs: 100 });
  document = await readDocument(system.url);
});

/** Fetches existing parameter values from the site. */
async function fetchKnownValues(usernames: readonly string[]): Promise<KnownValues> {
  const read = async <Body>(path: string): Promise<Body> => {
    const { status, body } = await getJson<Body>(system.url + path);
    expect(status).toBe(200);
    return body;
  };
  const { games } = await read<{ games: { titleId: string; name: string }[] }>(operations.listGames.path);
  const boards = await Promise.all(
    games.map(({ titleId }) => read<{ id: number }[]>(operations.listLeaderboards.path.replace(':titleId', titleId))),
  );
  const events = await read<{ id: number }[]>(operations.listEvents.path);
  for (const username of usernames) await read(pathTo(operations.getReputation.path, username));
  const ids = [...new Set(boards.flat().map(({ id }) => String(id)))];
  expect(Math.min(games.length, ids.length, events.length)).toBeGreaterThan(0);
  return {
    titleId: games.map(({ titleId }) => titleId),
    game: games.flatMap(({ titleId, name }) => [name, titleId.toUpperCase()]),
    leaderboardId: ids,
    eventId: events.map(({ id }) => String(id)),
    username: usernames,
    player: usernames,
    names: [usernames.join(','), '.*'],
    time: ['1:00', '0:49.3', '12:34.567'],
    sessionKey: keys,
  };
}

async function expectDocumentedResponse(asked: DocumentedRequest, sent: FuzzRequest): Promise<void> {
  const returned = await send(system.url, sent);
  const { status, text, header } = returned;
  const { method, target: url } = sent;
  const faults = status >= 500 ? [`${status} of a healthy system`] : [];
  if (method === asked.method) faults.push(...documentedFaults(asked, url, returned));
  else if (method !== 'HEAD' && status < 400 && status !== 204 && isPathOf(asked, url))
    faults.push(...undocumentedMethod(asked, method));
  if (header('content-encoding') === null) expectValidResponse({ method, url, status, text, header });
  if (faults.length > 0) throw new Error(`${method} ${url}: ${faults.join('; ')}\n${text.slice(0, 500)}`);
}

/** Deviations from the document, unless an empty or encoded parameter makes the URL another path. */
function documentedFaults(asked: DocumentedRequest, url: string, returned: Awaited<ReturnType<typeof send>>): string[] {
  return isPathOf(asked, url) ? document.faultsOf(asked, returned) : [];
}

function isPathOf({ path: asked }: DocumentedRequest, url: string): boolean {
  const [path = ''] = url.split('?', 1);
  return path.split('/').length === asked.split('/').length && !path.endsWith('/') && !path.includes('//');
}

function undocumentedMethod({ path }: DocumentedRequest, method: string): string[] {
  const isDocumented = document.requests.some((one) => one.path === path && one.method === method);
  return isDocumented ? [] : [`${method} is not documented, but succeeds`];
}

it('every fuzzed request is answered as the OpenAPI document says, and never with a 5xx', async () => {
  expect(document.requests.length).toBeGreaterThan(40);
  const failures: string[] = [];
  for (const asked of document.requests.filter(({ path }) => path !== STREAM)) {
    const requests = requestsFor(asked, document, known, keys);
    const property = fc.asyncProperty(requests, (sent) => expectDocumentedResponse(asked, sent));
    const { failed, seed, counterexample, errorInstance } = await fc.check(property, {
      numRuns: 12,
      endOnFailure: true,
    });
    if (failed) failures.push(`FUZZ_SEED=${seed}: ${JSON.stringify(counterexample)}\n${String(errorInstance)}`);
  }
  expect(failures).toEqual([]);
  expect(system.log.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  expect(Object.keys(Object.prototype)).toEqual([]);
});

/** Excluded: the event stream does not end. */
const STREAM = '/api/stream';
