/**
 * The key under which a game's name is found: Unicode NFC, trimmed, lower case. Two names with one key are one name.
 */
export function nameKey(name: string): string {
  return name.normalize('NFC').trim().toLowerCase();
}

/** Orders texts by code point, as every list that is ordered by name is. UTF-16 order would put astral characters first. */
export function compareCodePoints(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i += 1) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return codePointRank(x) - codePointRank(y);
  }
  return a.length - b.length;
}

/** Surrogates stand for code points above every other UTF-16 unit, though their own values do not. */
function codePointRank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
