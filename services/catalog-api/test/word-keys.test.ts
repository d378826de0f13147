import fc from 'fast-check';
import { isNear, matchOf, nameQuery, wordKeys } from '@lobbystats/contracts';
import { nameParts } from '../src/names/word-keys.ts';

describe('word keys', () => {
  it.each([
    ['Ember Fox', ['emberfox', 'fox']],
    [' Élan  vital ', ['elanvital', 'vital']],
    ['xX_Fox-99_Xx', ['xxfox99xx', 'xfox99xx', 'fox99xx', '99xx', 'xx']],
    ['LimeWren617', ['limewren617', 'wren617', '617']],
    ['XBLBeacon', ['xblbeacon', 'beacon']],
    ['nul \0 inside', ['nulinside', 'inside']],
    ['.*', ['.*']],
    ['🏁', ['🏁']],
    ['Ｗｉｄｅ', ['wide']],
    ['İstanbul ISPARTA ılık', ['istanbulispartailik', 'ispartailik', 'ilik']],
    ['ΟΔΟΣ οδός', ['οδοσοδοσ', 'οδοσ']],
    ['Straße STRASSE STRAẞE', ['strassestrassestrasse', 'strassestrasse', 'strasse']],
    ['Straße ŁØDŹ', ['strasselodz', 'lodz']],
    ['Ёлка', ['елка']],
    ['東京ラン', ['東京ラン', '京ラン', 'ラン', 'ン']],
    ['', []],
    ['\u0301', []],
    ['1 2 3 4 5 6 7 8 9', ['123456789', '23456789', '3456789', '456789', '56789', '6789', '789', '89']],
  ])('of %j are %j', (name, keys) => {
    expect(wordKeys(name)).toEqual(keys);
  });

  it('of every character are keys of themselves and of its lower case', () => {
    expect(charactersWithOtherKeys()).toEqual([]);
  });

  it('are the same in any normal form, and of a key itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        const [key = ''] = wordKeys(name);
        expect(wordKeys(name.normalize('NFD'))).toEqual(wordKeys(name));
        expect(wordKeys(key)[0] ?? '').toBe(key);
      }),
    );
  });
});

function charactersWithOtherKeys(): string[] {
  const changed: string[] = [];
  for (let code = 0; code <= 0x10ffff; code += 1) {
    const character = String.fromCodePoint(code);
    if (!/\p{Assigned}/u.test(character) || /\p{C}/u.test(character)) continue;
    const [key = ''] = wordKeys(character);
    const others = new Set([key, character.toLowerCase(), character.normalize('NFD')]);
    others.delete(character);
    if ([...others].some((text) => (wordKeys(text)[0] ?? '') !== key)) changed.push(character);
  }
  return changed;
}

describe('a name is near a text', () => {
  it.each([
    'legion',
    'legon',
    'leegion',
    'legoin',
    'lexion',
    'egion',
    'clokwork',
    'clokwork legion',
    'Clockwork-Legoin',
  ])('that has at most one letter wrong, missing, too much or swapped: %s', (text) => {
    expect(isNear(wordKeys('Clockwork Legion'), nameQuery(text)!)).toBe(true);
  });

  it.each(['leg', 'lgn', 'lxgxon', 'clockwork region x', 'wxrk'])('but not to %s', (text) => {
    expect(isNear(wordKeys('Clockwork Legion'), nameQuery(text)!)).toBe(false);
  });

  it('after any one edit of its beginning', () => {
    const letter = fc.constantFrom('a', 'b', 'c', 'd', 'x', 'y');
    const edits = fc.record({ text: fc.string({ unit: letter, minLength: 5, maxLength: 12 }), at: fc.nat(11), letter });
    fc.assert(
      fc.property(
        edits,
        fc.constantFrom('wrong', 'missing', 'more', 'swapped'),
        ({ text, at, letter: typed }, kind) => {
          const index = at % (text.length - 1);
          const rest = text.slice(index + 1);
          const edited = {
            wrong: text.slice(0, index) + typed + rest,
            missing: text.slice(0, index) + rest,
            more: text.slice(0, index) + typed + text.slice(index),
            swapped: text.slice(0, index) + rest.slice(0, 1) + text.slice(index, index + 1) + rest.slice(1),
          }[kind];
          expect(isNear([`${text}tail`], { key: edited, words: [edited] })).toBe(true);
        },
      ),
    );
  });
});

describe('parts of a name', () => {
  it.each([
    ['Wrens', ['rens', 'ens']],
    ['EmberFox', ['mberfox', 'berfox', 'erfox', 'rfox']],
    ['ab', []],
    ['x🏁🏁🏁', []],
    ['x'.repeat(200), Array.from({ length: 39 }, (_, index) => 'x'.repeat(199 - index))],
  ])('%j are %j', (name, parts) => {
    expect(nameParts(name)).toEqual(parts);
  });

  it('are exactly where a name is found within its words', () => {
    const names = fc.stringMatching(/^[a-cA-C0-1 ]{1,12}$/);
    fc.assert(
      fc.property(names, fc.stringMatching(/^[a-c0-1]{3,5}$/), (name, key) => {
        const isInside = nameParts(name).some((part) => part.startsWith(key));
        const match = matchOf(wordKeys(name), { key, words: [key] });
        // A better match may be inside another word, too.
        expect(isInside || match === 4).toBe(match !== undefined && (match === 4 || isInside));
      }),
    );
  });
});

describe('a match', () => {
  it.each([
    ['ember fox', 0],
    ['EMBERFOX', 0],
    ['ember f', 1],
    ['fo', 2],
    ['fox', 2],
    ['fox ember', 3],
    ['f e', 3],
    ['mber', 4],
    ['rfo', 4],
    ['mb', undefined],
    ['x', undefined],
    ['fox lime', undefined],
  ])('of %j with “Ember Fox” has the rank %j', (text, match) => {
    expect(matchOf(wordKeys('Ember Fox'), nameQuery(text)!)).toBe(match);
  });

  it('is impossible for a text of marks alone', () => {
    expect(nameQuery('\u0301')).toBeUndefined();
  });
});
