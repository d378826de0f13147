import fc from 'fast-check';
import { gamertag, GAMERTAG_COUNT } from '../src/world/gamertags.ts';
import { username } from '../src/world/usernames.ts';

describe('usernames', () => {
  it('are one to thirty-two letters, digits, spaces, dots, underscores and hyphens', () => {
    fc.assert(
      fc.property(fc.nat(GAMERTAG_COUNT - 1), (player) => {
        expect(username(player)).toMatch(/^[A-Za-z0-9 ._-]{1,32}$/);
        expect(username(player)).toBe(username(player).trim());
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([0, GAMERTAG_COUNT - 30_000])('are unique regardless of case and repeated spaces (from %i)', (first) => {
    const names = Array.from({ length: 30_000 }, (_, index) => username(first + index).toLowerCase());
    expect(new Set(names.map((name) => name.replace(/ +/g, ' '))).size).toBe(names.length);
  });

  it('often equal the gamertag, sometimes in lower case, and sometimes differ', () => {
    const players = Array.from({ length: 5_000 }, (_, player) => player);
    const shareOf = (isSo: (name: string, tag: string) => boolean) =>
      players.filter((player) => isSo(username(player), gamertag(player))).length / players.length;
    expect(shareOf((name, tag) => name === tag)).toBeGreaterThan(0.4);
    expect(shareOf((name, tag) => name !== tag && name === tag.toLowerCase())).toBeGreaterThan(0.05);
    expect(shareOf((name, tag) => plain(name) !== plain(tag))).toBeGreaterThan(0.1);
    expect(shareOf((_, tag) => tag.includes('&'))).toBeGreaterThan(0.01);
  });

  it('include names of prototype members', () => {
    const names = Array.from({ length: 20 }, (_, player) => username(player));
    expect(names).toEqual(expect.arrayContaining(['constructor', '__proto__', 'null']));
  });
});

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}
