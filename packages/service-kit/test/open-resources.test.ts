import { openResources } from '../src/process/lifecycle.ts';

let log: string[];
beforeEach(() => {
  log = [];
});

const partOf = (name: string) => ({
  name,
  close: async () => {
    log.push(`close ${name}`);
  },
});
const opened = (name: string) => {
  log.push(`open ${name}`);
  return partOf(name);
};

describe('openResources', () => {
  it('returns functions that close the resources, in the order of opening', async () => {
    const { store, bus, disposers } = await openResources(async (part) => ({
      store: await part(undefined, () => opened('store')),
      bus: await part(undefined, async () => opened('bus')),
    }));
    expect([store.name, bus.name]).toEqual(['store', 'bus']);
    for (const close of disposers) await close();
    expect(log).toEqual(['open store', 'open bus', 'close store', 'close bus']);
  });

  it('does not close injected resources', async () => {
    const injectedStore = partOf('given');
    const { store, disposers } = await openResources(async (part) => ({
      store: await part(injectedStore, () => opened('store')),
    }));
    expect([store, disposers, log]).toEqual([injectedStore, [], []]);
  });

  it('closes resources in reverse order if a later one fails to open, and rejects with its error', async () => {
    const broken = { close: () => Promise.reject(new Error('can’t be closed')) };
    const opening = openResources(async (part) => {
      await part(partOf('given'), () => opened('none'));
      await part(undefined, () => opened('store'));
      await part(undefined, () => broken);
      await part(undefined, () => opened('bus'));
      return { network: await part(undefined, () => Promise.reject<typeof broken>(new Error('away'))) };
    });
    await expect(opening).rejects.toThrow('away');
    expect(log).toEqual(['open store', 'open bus', 'close bus', 'close store']);
  });
});
