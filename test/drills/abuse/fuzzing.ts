import { operations } from '@lobbystats/contracts';
import { faultsOfAnswer, fuzzRuns } from '@lobbystats/test-kit';
import fc from 'fast-check';
import { readDocument, type Asked, type FuzzDocument } from '../../../services/standalone/test/fuzz-document.ts';
import { hangUp, requestsFor, send, type Known, type Sent } from '../../../services/standalone/test/fuzz-requests.ts';
import type { SharedDrill } from '../drill.ts';
import type { Stage } from '../stages/stage.ts';

/** It has no end to wait for. */
const STREAM = '/api/stream';

export const fuzzing: SharedDrill = {
  number: 32,
  name: 'the OpenAPI document, fuzzed',
  on: 'either',
  run: async (stage) => {
    const { seed, numRuns } = fuzzRuns(15);
    const document = await readDocument(stage.url);
    const [known, keys] = [await knownOf(stage), stage.people.map(({ sessionKey }) => sessionKey)];
    const asked = document.asked.filter(({ path }) => path !== STREAM);
    const statuses = new Map<number, number>();
    const failures: string[] = [];
    try {
      for (const one of asked) {
        const property = fc.asyncProperty(requestsFor(one, document, known, keys), async (sent) => {
          const status = await answered(stage.url, document, one, sent);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        });
        const { failed, counterexample, errorInstance } = await fc.check(property, {
          seed,
          numRuns,
          endOnFailure: true,
        });
        if (failed) failures.push(`${JSON.stringify(counterexample)}\n${String(errorInstance)}`);
      }
    } finally {
      hangUp();
    }
    if (failures.length > 0) throw new Error(`FUZZ_SEED=${seed}: ${failures.join('\n')}`);
    const counts = [...statuses]
      .toSorted(([one], [other]) => one - other)
      .map(([status, count]) => `${status}: ${count}`);
    return [
      `FUZZ_SEED=${seed}: ${asked.length} operations, one after another on what was written before; ${counts.join(', ')}; each as documented`,
    ];
  },
};

/** @returns its status @throws Error where the document tells of another answer */
async function answered(url: string, document: FuzzDocument, asked: Asked, sent: Sent): Promise<number> {
  const returned = await send(url, sent);
  const { status, text, header } = returned;
  const { method, target } = sent;
  const faults = status >= 500 ? [`${status} of a system that is well`] : [];
  if (header('content-encoding') === null)
    faults.push(...faultsOfAnswer({ method, url: target, status, text, header }));
  const [path = ''] = target.split('?', 1);
  const isAtItsPath = path.split('/').length === asked.path.split('/').length && !/\/$|\/\//.test(path);
  if (method === asked.method && isAtItsPath) faults.push(...document.faultsOf(asked, returned));
  if (faults.length > 0) throw new Error(`${method} ${target}: ${faults.join('; ')}\n${text.slice(0, 500)}`);
  return status;
}

async function knownOf(stage: Stage): Promise<Known> {
  const { games } = (await stage.ask(operations.listGames.path)).body as { games: { titleId: string; name: string }[] };
  const [first] = games;
  const boards = (await stage.ask(operations.listLeaderboards.path.replace(':titleId', first?.titleId ?? ''))).body;
  const usernames = stage.people.map(({ username }) => username);
  return {
    titleId: games.map(({ titleId }) => titleId),
    game: games.flatMap(({ titleId, name }) => [name, titleId.toUpperCase()]),
    leaderboardId: (boards as { id: number }[]).map(({ id }) => String(id)),
    username: usernames,
    player: usernames,
    names: [usernames.join(','), '.*'],
    time: ['1:00', '0:49.3', '12:34.567'],
    sessionKey: stage.people.map(({ sessionKey }) => sessionKey),
  };
}
