import { operations, type OperationResponse } from '@lobbystats/contracts';
import { eventually, getJson } from '@lobbystats/test-kit';
import { deadLetters } from '../faults/dead-letters.ts';
import { killAndStart } from '../faults/inject.ts';
import { compose, gatewayUrl, stack, unhealthyServices } from './stack.ts';

const SLOWLY = { everyMs: 500 };

/** A parameter that was not requested before bypasses caches. */
async function read<Body>(path: string): Promise<Body> {
  const { status, body } = await getJson<Body>(gatewayUrl + path);
  expect(status).toBe(200);
  return body;
}
const history = (days: number) => read<unknown[]>(`${operations.getOnlineSeries.path}?days=${days}`);
const games = async (limit: number) => {
  const { games: rows } = await read<OperationResponse<typeof operations.listGames>>(
    `${operations.listGames.path}?limit=${limit}`,
  );
  return rows.map(({ titleId, name }) => ({ titleId, name }));
};

beforeAll(() => compose('up', '-d', '--wait', '--no-recreate'), 300_000);

// Numbers of days and rows that no other suite requests.
it.each(['rabbitmq', 'mongodb', 'influxdb'].map((server, index) => [server, 23 + 2 * index] as const))(
  'the stack is healthy and serves all stored data after %s is killed',
  async (server, size) => {
    const points = await history(size);
    const titles = await games(size);
    expect([points.length > 0, titles.length]).toEqual([true, size]);
    await killAndStart(stack, server);
    await eventually(async () => expect(await unhealthyServices()).toEqual([]), SLOWLY);
    await eventually(async () => {
      expect(await history(size + 1)).toEqual(expect.arrayContaining(points));
      expect((await games(size + 1)).slice(0, size)).toEqual(titles);
    }, SLOWLY);
    expect(await deadLetters(stack)).toEqual([]);
  },
  240_000,
);
