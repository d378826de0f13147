import { fraction, mix, pickIndex, floorModulo } from './hash.ts';

const QUALITIES = (
  'Amberlit Ashfall Brackish Brazen Cinder Clockwork Cobaltine Crooked Driftwood Ebon Emberly Fathomless ' +
  'Feathered Fernwild Glasswing Gloaming Halcyon Hollow Inkstained Ironbark Juniper Kelpish Lanternlit ' +
  'Lowland Marrow Moonward Nettled Northbound Ochre Palewater Quillon Rainward Rimed Saltmarsh Skyward ' +
  'Thornback Umbral Verdigris Wayworn Windfall'
).split(' ');
const SUBJECTS = (
  'Almanac Armada Bastion Bazaar Caravan Cartel Circuit Citadel Compass Courier Drift Dynasty Expedition Foundry ' +
  'Frontier Gambit Garrison Harbour Heist Horizon Labyrinth League Legion Marauders Meridian Odyssey Outpost ' +
  'Paddock Pilgrims Quarry Rally Reckoning Regatta Skirmish Sovereigns Summit Tempest Tournament Vanguard ' +
  'Wardens'
).split(' ');
const ENDINGS = ['', '', '', '', ' II', ' III', ' Online', ': First Light', ': The Long Road', ' Arena'];
const EDITIONS = ['Complete Edition', 'Gold Edition', 'Platinum Hits', 'Limited Print', 'Anniversary Edition'];
const COMBINATIONS = QUALITIES.length * SUBJECTS.length;

export function inventedName(seed: number, number: number): string {
  // Coprime: all 1,600 combinations come before any repeats.
  const combination = floorModulo(number * 1_009 + pickIndex(mix(seed, 1), COMBINATIONS), COMBINATIONS);
  const quality = QUALITIES[Math.floor(combination / SUBJECTS.length)] ?? '';
  const subject = SUBJECTS[combination % SUBJECTS.length] ?? '';
  const round = Math.floor(number / COMBINATIONS);
  const ending = ENDINGS[pickIndex(mix(seed, number), ENDINGS.length)] ?? '';
  return round === 0 ? `${quality} ${subject}${ending}` : `${quality} ${subject} ${2000 + round}`;
}

export function inventedFullTitle(name: string, hash: number): string {
  if (fraction(hash) >= 0.2) return name;
  return `${name} - ${EDITIONS[pickIndex(mix(hash, 1), EDITIONS.length)] ?? ''}`;
}

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
