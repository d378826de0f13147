export interface AwkwardTitle {
  name: string;
  fullTitle?: string;
  publisher?: null;
  releaseDate?: null;
}

const LONG_SUBTITLE = 'and the Ever So Slightly Longer Journey Home through Weather, Bureaucracy and Regret, '.repeat(
  3,
);

/**
 * Names with markup, quotes, slashes, percent signs, prototype members, Unicode forms, duplicates, another title's ID,
 * formulas, and absent metadata.
 */
export function awkwardTitles(otherTitleId: string): readonly AwkwardTitle[] {
  return [
    { name: 'Salt & Sabre' },
    { name: '__proto__' },
    { name: 'Harbour Lights', fullTitle: 'Harbour Lights (Europe)' },
    { name: 'Harbour Lights', fullTitle: 'Harbour Lights (Japan)' },
    { name: 'The "Last" Lantern' },
    { name: 'Either/Or' },
    { name: 'Frost <Zero>', fullTitle: 'Frost <Zero> </td><script>alert(1)</script>' },
    { name: "Mariner's Ember" },
    { name: 'constructor' },
    { name: 'Étoile Noire'.normalize('NFC') },
    { name: 'Étoile Noire'.normalize('NFD'), fullTitle: 'Étoile Noire (réédition)'.normalize('NFD') },
    { name: '夜の灯台', publisher: null },
    { name: 'Fifty%2FFifty' },
    { name: otherTitleId },
    { name: `Pilgrims ${LONG_SUBTITLE}Part One` },
    { name: '=SUM(Stars)', releaseDate: null },
    { name: 'Ready, Set, Drift', publisher: null, releaseDate: null },
    { name: 'HARBOUR LIGHTS', fullTitle: 'Harbour Lights (demo)', releaseDate: null },
    { name: '100% Regatta' },
    { name: 'Regatta #9 ? +1', fullTitle: 'Regatta #9 ? +1; or, ../the Way Out' },
  ];
}
