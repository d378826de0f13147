import { operations } from '@lobbystats/contracts';
import { contractViolations, repeatableProperties } from '@lobbystats/test-kit';
import fastCheck from 'fast-check';
import { readDocument, type DocumentedRequest, type FuzzDocument } from '../../standalone/fuzz-document.ts';
import {
  closeConnections,
  requestsFor,
  send,
  type KnownValues,
  type FuzzRequest,
} from '../../standalone/fuzz-requests.ts';
import type { SharedDrill } from '../drill.ts';
import type { Stage } from '../stages/stage.ts';

const fc = repeatableProperties(fastCheck);

/** Excluded: the event stream does not end. */
const STREAM = '/api/stream';

export const fuzzing: SharedDrill = {
  number: 32,
  name: 'the OpenAPI document, fuzzed',
  on: 'either',
  run: async (stage) => {
    const document = await readDocument(stage.url);
    const [known, keys] = [await fetchKnownValues(stage), stage.users.map(({ sessionKey }) => sessionKey)];
    const asked = document.requests.filter(({ path }) => path !== STREAM);
    const statuses = new Map<number, number>();
    const failures: string[] = [];
    try {
      for (const one of asked) {
        const property = fc.asyncProperty(requestsFor(one, document, known, keys), async (sent) => {
          const status = await sendAndCheck(stage.url, document, one, sent);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        });
        const result = await fc.check(property, { numRuns: 15, endOnFailure: true });
        const { failed, seed, counterexample, errorInstance } = result;
        if (failed) failures.push(`FUZZ_SEED=${seed}: ${JSON.stringify(counterexample)}\n${String(errorInstance)}`);
      }
    } finally {
      closeConnections();
    }
    if (failures.length > 0) throw new Error(failures.join('\n'));
    const counts = [...statuses]
      .toSorted(([one], [other]) => one - other)
      .map(([status, count]) => `${status}: ${count}`);
    return [
      `${asked.length} operations, one after another on what was written before; ${counts.join(', ')}; each as documented`,
    ];
  },
};

/** @returns the status @throws Error when the response deviates from the document */
async function sendAndCheck(
  url: string,
  document: FuzzDocument,
  asked: DocumentedRequest,
  sent: FuzzRequest,
): Promise<number> {
  const returned = await send(url, sent);
  const { status, text, header } = returned;
  const { method, target } = sent;
  const faults = status >= 500 ? [`${status} of a healthy system`] : [];
  if (header('content-encoding') === null)
    faults.push(...contractViolations({ method, url: target, status, text, header }));
  const [path = ''] = target.split('?', 1);
  const isAtItsPath = path.split('/').length === asked.path.split('/').length && !/\/$|\/\//.test(path);
  if (method === asked.method && isAtItsPath) faults.push(...document.faultsOf(asked, returned));
  if (faults.length > 0) throw new Error(`${method} ${target}: ${faults.join('; ')}\n${text.slice(0, 500)}`);
  return status;
}

async function fetchKnownValues(stage: Stage): Promise<KnownValues> {
  const { games } = (await stage.request(operations.listGames.path)).body as {
    games: { titleId: string; name: string }[];
  };
  const [first] = games;
  const boards = (await stage.request(operations.listLeaderboards.path.replace(':titleId', first?.titleId ?? ''))).body;
  const usernames = stage.users.map(({ username }) => username);
  return {
    titleId: games.map(({ titleId }) => titleId),
    game: games.flatMap(({ titleId, name }) => [name, titleId.toUpperCase()]),
    leaderboardId: (boards as { id: number }[]).map(({ id }) => String(id)),
    username: usernames,
    player: usernames,
    names: [usernames.join(','), '.*'],
    time: ['1:00', '0:49.3', '12:34.567'],
    sessionKey: stage.users.map(({ sessionKey }) => sessionKey),
  };
}
