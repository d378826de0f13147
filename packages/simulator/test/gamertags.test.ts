import fc from 'fast-check';
import { gamertag, GAMERTAG_COUNT } from '../src/world/gamertags.ts';

describe('gamertags', () => {
  it('are one to fifteen letters, digits, spaces and ampersands', () => {
    fc.assert(
      fc.property(fc.nat(GAMERTAG_COUNT - 1), (player) => {
        expect(gamertag(player)).toMatch(/^[A-Za-z0-9& ]{1,15}$/);
        expect(gamertag(player)).toBe(gamertag(player).trim());
      }),
    );
  });

  it('are unique regardless of case, spaces and ampersands', () => {
    const tags = Array.from({ length: 25_000 }, (_, player) => gamertag(player).toLowerCase().replace(/[& ]/g, ''));
    expect(new Set(tags).size).toBe(25_000);
  });

  it('are unique at the end of the pool', () => {
    const tags = Array.from({ length: 25_000 }, (_, player) => gamertag(GAMERTAG_COUNT - 1 - player).toLowerCase());
    expect(new Set(tags).size).toBe(25_000);
  });

  it('include names of prototype members', () => {
    const tags = Array.from({ length: 200 }, (_, player) => gamertag(player));
    expect(tags).toEqual(expect.arrayContaining(['constructor', 'hasOwnProperty', expect.stringContaining('&')]));
  });
});
