import { openParts } from '@lobbystats/service-kit';

let said: string[];
beforeEach(() => {
  said = [];
});

const partOf = (name: string) => ({
  name,
  close: async () => {
    said.push(`close ${name}`);
  },
});
const opened = (name: string) => {
  said.push(`open ${name}`);
  return partOf(name);
};

describe('parts that are opened together', () => {
  it('are closed by what comes with them, in the order in which they were opened', async () => {
    const { store, bus, closers } = await openParts(async (part) => ({
      store: await part(undefined, () => opened('store')),
      bus: await part(undefined, async () => opened('bus')),
    }));
    expect([store.name, bus.name]).toEqual(['store', 'bus']);
    for (const close of closers) await close();
    expect(said).toEqual(['open store', 'open bus', 'close store', 'close bus']);
  });

  it('are left to whoever gave them', async () => {
    const given = partOf('given');
    const { store, closers } = await openParts(async (part) => ({ store: await part(given, () => opened('store')) }));
    expect([store, closers, said]).toEqual([given, [], []]);
  });

  it('are closed, the last one first, when a later one can’t be had, of which the error tells', async () => {
    const broken = { close: () => Promise.reject(new Error('can’t be closed')) };
    const opening = openParts(async (part) => {
      await part(partOf('given'), () => opened('none'));
      await part(undefined, () => opened('store'));
      await part(undefined, () => broken);
      await part(undefined, () => opened('bus'));
      return { network: await part(undefined, () => Promise.reject<typeof broken>(new Error('away'))) };
    });
    await expect(opening).rejects.toThrow('away');
    expect(said).toEqual(['open store', 'open bus', 'close bus', 'close store']);
  });
});
