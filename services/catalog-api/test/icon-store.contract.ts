import type { CatalogStore } from '../src/open-store.ts';
import type { IconQueries } from '../src/titles/icons.queries.ts';
import { fact } from './title-store.contract.ts';

/** Contract tests of {@link IconQueries}. `open` returns an empty catalog each time. */
export function describeIconStore(adapter: string, open: () => Promise<CatalogStore>): void {
  describe(`${adapter} as a store of icons`, () => {
    let catalog: CatalogStore;
    let store: IconQueries;
    beforeEach(async () => {
      catalog = await open();
      store = catalog.icons;
    });
    afterEach(() => catalog.close());

    const pending = async () => (await catalog.outbox.pending(10)).map(({ id }) => id);
    const stored = async (titleId: string) => {
      const icon = await store.read(titleId);
      return icon && { seenAt: icon.seenAt, image: [...icon.image] };
    };

    it('has no icon of an unknown title', async () => {
      expect(await store.read('00000001')).toBeUndefined();
    });

    it('returns the bytes of an icon, and commits its facts', async () => {
      expect(await store.put('00000001', { seenAt: 5, image: bytes(0, 255, 10) }, [fact('first')])).toBe(true);
      expect(await stored('00000001')).toEqual({ seenAt: 5, image: [0, 255, 10] });
      expect(await store.read('00000002')).toBeUndefined();
      expect(await pending()).toEqual(['first']);
    });

    it('commits no facts with the same image, and lets the later image win in any order', async () => {
      await store.put('00000001', { seenAt: 5, image: bytes(1) }, [fact('first')]);
      expect(await store.put('00000001', { seenAt: 6, image: bytes(1) }, [fact('same')])).toBe(false);
      expect(await store.put('00000001', { seenAt: 5, image: bytes(2) }, [fact('earlier')])).toBe(false);
      expect(await stored('00000001')).toEqual({ seenAt: 6, image: [1] });
      expect(await store.put('00000001', { seenAt: 7, image: bytes(3) }, [fact('other')])).toBe(true);
      expect(await stored('00000001')).toEqual({ seenAt: 7, image: [3] });
      expect(await pending()).toEqual(['first', 'other']);
    });

    it('stores the later of two icons that come at once', async () => {
      await Promise.all([5, 6].map((seenAt) => store.put('00000001', { seenAt, image: bytes(seenAt) }, [])));
      expect(await stored('00000001')).toEqual({ seenAt: 6, image: [6] });
    });

    it('removes the icon with the contents of its title', async () => {
      for (const titleId of ['00000001', '00000002']) await store.put(titleId, { seenAt: 5, image: bytes(1) }, []);
      await catalog.contents.remove('00000001');
      expect(await store.read('00000001')).toBeUndefined();
      expect(await store.read('00000002')).toBeDefined();
    });
  });
}

function bytes(...values: number[]): Uint8Array {
  return Uint8Array.from(values);
}
