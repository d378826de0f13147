import { nameKey } from '@lobbystats/contracts';
import fc from 'fast-check';
import { matchOf, wordKeys } from '../src/search/word-keys.ts';

describe('word keys', () => {
  it.each([
    ['Ember Fox', ['ember fox', 'fox']],
    [' Élan  vital ', ['elan vital', 'vital']],
    ['xX_Fox-99_Xx', ['xx fox 99 xx', 'fox 99 xx', '99 xx', 'xx']],
    ['nul \0 inside', ['nul inside', 'inside']],
    ['.*', ['.*']],
    ['🏁', ['🏁']],
    ['Ｗｉｄｅ', ['wide']],
    ['', []],
    ['\u0301', []],
    [
      '1 2 3 4 5 6 7 8 9',
      ['1 2 3 4 5 6 7 8 9', '2 3 4 5 6 7 8 9', '3 4 5 6 7 8 9', '4 5 6 7 8 9', '5 6 7 8 9', '6 7 8 9', '7 8 9', '8 9'],
    ],
  ])('of %j are %j', (name, keys) => {
    expect(wordKeys(name)).toEqual(keys);
  });

  it('are the same in any case and normal form', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        expect(wordKeys(nameKey(name))).toEqual(wordKeys(name));
        expect(wordKeys(name.normalize('NFD'))).toEqual(wordKeys(name));
      }),
    );
  });

  it.each([
    ['ember fox', 0],
    ['ember f', 1],
    ['fo', 2],
    ['fox', 2],
    ['x', undefined],
    ['emberfox', undefined],
  ])('match %j with rank %j', (key, match) => {
    expect(matchOf(wordKeys('Ember Fox'), key)).toBe(match);
  });
});
