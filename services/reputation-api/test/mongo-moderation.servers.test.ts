import { raterBarred } from '@lobbystats/contracts';
import { cleanUp, memoryBus } from '@lobbystats/test-kit';
import type { TestDatabase } from '@lobbystats/test-kit/test-database';
import { openReputationModeration } from '../src/admin.ts';
import { prepareRatingsDatabase } from './prepare-ratings-database.ts';
import { NOW, runReputation } from './running-reputation.ts';

let ratings: TestDatabase;
beforeAll(async () => {
  ratings = await prepareRatingsDatabase('test_rating_moderation');
});
beforeEach(() => ratings.clear());
afterAll(() => ratings.clear());

describe('moderation beside two replicas on MongoDB', () => {
  it('applies while ratings arrive at both replicas, and all counts stay correct', async () => {
    const env = { DATABASE_URL: ratings.url };
    const bus = await memoryBus();
    const [api, other] = await Promise.all([runReputation({ env, bus }), runReputation({ env, bus })]);
    const options = { url: ratings.url, origin: 'simulated', clock: () => NOW * 1000 };
    const moderation = await openReputationModeration(options);
    cleanUp(() => moderation.close());
    await api.announceUsers({ EmberFox: '', Wren: '' });
    await api.rate('Marlow', 'EmberFox', 1, 'Rude');
    await api.rate('Marlow', 'Wren', 1);
    expect(await moderation.hide('marlow', 'EMBERFOX')).toBe('done');
    expect((await api.read('EmberFox')).body.feedback).toMatchObject([{ stars: 1, comment: null }]);

    expect((await other.rate('Marlow', 'EmberFox', 1)).status).toBe(200);
    expect((await api.rate('Marlow', 'EmberFox', 1, 'Rude')).body.viewer.comment).toBeNull();
    expect(await moderation.show('Marlow', 'EmberFox')).toBe('done');
    expect((await other.read('EmberFox')).body.feedback).toMatchObject([{ stars: 1, comment: 'Rude' }]);

    const rate = async (index: number) => (index % 2 ? api : other).rate(`rater${index}`, 'EmberFox', 1 + (index % 5));
    const coming = Promise.all(Array.from({ length: 100 }, (_, index) => rate(index)));
    expect(await moderation.bar('Marlow')).toBe('done');
    const taken = (await coming).filter(({ status }) => status === 200).length;
    expect(taken).toBeGreaterThan(0);
    for (const service of [api, other]) {
      const { body } = await service.read('EmberFox', { as: 'Marlow', limit: 30 });
      expect(body.viewer).toBeNull();
      expect(body.ratingCount).toBeGreaterThanOrEqual(taken);
      expect((await service.rate('Marlow', 'EmberFox', 1)).status).toBe(403);
    }
    expect((await api.read('Wren')).body).toMatchObject({ ratingCount: 0, priorOnly: true });
    expect(await moderation.bar('Marlow')).toBe('already');
    expect((await api.published(raterBarred, 1))[0]?.data.profiles).toEqual(['EmberFox', 'Wren']);
    expect(await moderation.unbar('Marlow')).toBe('done');
    expect((await other.read('Wren')).body).toMatchObject({ ratingCount: 1, feedback: [{ stars: 1 }] });
  });
});
