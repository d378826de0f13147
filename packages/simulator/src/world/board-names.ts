import type { Title } from './title.ts';

const PLACES = [
  'Cinder Bay',
  'Old Mill',
  'Harbour Loop',
  'Pines & Needles',
  'North Face',
  'Salt Flats',
  'The "Elbow"',
  'Quarry Run',
  'Lantern Row',
  'Glass Canyon',
];
const MODES = ['Time Trial', 'Best Lap', 'High Score', 'Deathmatch Rating', 'Team Rating', 'Survival', 'Sprint'];

/** A leaderboard as the game page's menu names it. */
export interface BoardName {
  id: number;
  name: string;
}

/** The leaderboards of a title, by id. No two have one name. */
export function boardNames(title: Title): readonly BoardName[] {
  return Array.from({ length: title.boardCount }, (_, index) => {
    const place = PLACES[index % PLACES.length] ?? '';
    const mode = MODES[Math.floor(index / PLACES.length) % MODES.length] ?? '';
    const round = Math.floor(index / (PLACES.length * MODES.length));
    return { id: title.firstBoardId + index, name: `${mode} - ${place}${round === 0 ? '' : ` ${round + 1}`}` };
  });
}
