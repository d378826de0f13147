import { fraction, mix } from './hash.ts';
import type { Title } from './title.ts';

/** Includes names that break pages without escaping. */
const PLACES = [
  'Cinder Bay',
  'Old Mill',
  'Harbour Loop',
  'Pines & Needles',
  'North Face',
  'The "Elbow"',
  'Salt Flats',
  'Ridge <i>One</i>',
  'Quarry Run',
  "Baker's Row",
  'Étang Gelé'.normalize('NFC'),
  'Étang Gelé'.normalize('NFD'),
  'Lantern Row',
  '=SUM(Laps)',
  'Glass Canyon',
  '50%2F50',
];
const TIME_MODES = ['Best Lap', 'Time Trial', 'Sprint', 'Relay'];
const SCORE_MODES = ['High Score', 'Deathmatch Rating', 'Team Rating', 'Survival'];
const TIME_SHARE = 2 / 3;

export interface BoardName {
  id: number;
  name: string;
}

export function boardNames(title: Title): readonly BoardName[] {
  return Array.from({ length: title.boardCount }, (_, index) => boardName(title, index));
}

export function boardName(title: Title, index: number): BoardName {
  const modes = ranksTimes(title, index) ? TIME_MODES : SCORE_MODES;
  const place = PLACES[index % PLACES.length] ?? '';
  const mode = modes[Math.floor(index / PLACES.length) % modes.length] ?? '';
  const round = Math.floor(index / (PLACES.length * modes.length));
  return { id: title.firstBoardId + index, name: `${mode} - ${place}${round === 0 ? '' : ` ${round + 1}`}` };
}

export function ranksTimes(title: Title, index: number): boolean {
  return fraction(mix(mix(Number.parseInt(title.titleId, 16), 71), index)) < TIME_SHARE;
}
