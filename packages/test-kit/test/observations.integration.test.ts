import { slotObserved, titleObserved } from '@lobbystats/contracts';
import { memoryBus, slotObservation, titleObservation } from '@lobbystats/test-kit';

describe('observation builders', () => {
  it('build valid slot.observed data from a slot alone', () => {
    expect(slotObserved.data.parse(slotObservation({ slot: 1_769_882_700 }))).toEqual({
      slot: '2026-01-31T18:05:00Z',
      registered: 1000,
      online: 0,
      titles: [],
    });
    const slot = slotObservation({
      slot: '2026-01-31T18:05:00Z',
      titles: [
        { titleId: '4d530064', matches: [{ host: 'a', players: 3 }, { host: 'b' }] },
        { titleId: '4d530065', online: 5 },
        { titleId: '4d530066', online: 2, matches: null },
      ],
    });
    expect(slotObserved.data.parse(slot)).toMatchObject({
      online: 11,
      titles: [
        { online: 4, sessions: 2, players: 4, matches: [{ maxPlayers: 8 }, { players: 1 }] },
        { online: 5, sessions: 0, players: 0, matches: [] },
        { online: 2, matches: null },
      ],
    });
  });

  it('build valid title.observed data', () => {
    const observation = titleObservation({
      seenAt: 1_769_882_700,
      titles: [
        { titleId: '4d530064' },
        { titleId: '4d530065', home: { name: 'Harbor Racing' }, page: { releaseDate: '2001-11-15' } },
        { titleId: '4d530066', page: {} },
      ],
    });
    expect(titleObserved.data.parse(observation).titles).toEqual([
      { titleId: '4d530064', home: { name: 'Game 4d530064', image: '', publisher: '', productCode: '' } },
      {
        titleId: '4d530065',
        home: { name: 'Harbor Racing', image: '', publisher: '', productCode: '' },
        page: { title: 'Game 4d530065', publisher: '', releaseDate: '2001-11-15' },
      },
      { titleId: '4d530066', page: { title: 'Game 4d530066', publisher: '', releaseDate: '' } },
    ]);
  });

  it('build data that the in-process bus accepts', async () => {
    const bus = await memoryBus();
    await expect(bus.publish(slotObserved, slotObservation({ slot: 300 }))).resolves.toBeUndefined();
    expect(bus.origin).toBe('simulated');
  });
});
