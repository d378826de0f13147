import { SLOT_SECONDS } from '@lobbystats/contracts';
import { eventually, fixedClock } from '@lobbystats/test-kit';
import { runSystem } from './run-system.ts';

it('serves icons of the network as images of its own, and draws those that it refuses', async () => {
  const clock = fixedClock('2026-01-31T12:00:05Z');
  const { url, networkUrl, simulator } = await runSystem({ clock, world: { titles: 4, openMatches: 2, boards: 2 } });
  const [refused = '', ...shown] = simulator.world.titlesAt(clock() / 1000).map(({ titleId }) => titleId);
  const fault = { path: `/icons/${refused}.png`, kind: 'image', form: 'svg' };
  await fetch(`${networkUrl}/simulator/faults`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ faults: [fault] }),
  });
  const typesOf = (titleIds: readonly string[]) =>
    Promise.all(
      titleIds.map(async (titleId) => {
        const response = await fetch(`${url}/icon/${titleId}`);
        await response.arrayBuffer();
        return response.headers.get('content-type');
      }),
    );
  await eventually(async () => expect(await typesOf([refused, ...shown])).toEqual(Array(4).fill('image/svg+xml')));
  clock.advance(SLOT_SECONDS);
  await eventually(async () => expect(await typesOf(shown)).toEqual(shown.map(() => 'image/webp')));
  expect(await typesOf([refused])).toEqual(['image/svg+xml']);
});
