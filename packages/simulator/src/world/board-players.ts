import { gamertag } from './gamertags.ts';
import { fraction, mix, pickIndex } from './hash.ts';
import { shufflePrime } from './shuffle-prime.ts';

const AWKWARD_SHARE = 1 / 250;

/** Names that break pages and queries without escaping. */
const AWKWARD_NAMES = [
  '<b>Bold</b>',
  'Zoë Brontë'.normalize('NFC'),
  'Zoë Brontë'.normalize('NFD'),
  '"Quoted"',
  '__proto__',
  '=1+1',
  "O'Hara",
  'Salt & Sabre',
  '50%2F50',
  '.*',
  '$where',
  '夜の灯台',
  'a/b\\c',
  '&amp;',
  '🏁 Racer',
  'The Player Whose Name Is Longer Than Any Name Has A Right To Be',
  '-7',
  '00:49.300',
];

/** Players of the positions of one board. */
export interface BoardPlayers {
  nameOf(place: number, career: number, isRenamed: boolean): string;
}

/** No player holds two positions at a time. */
export function boardPlayers(boardSeed: number, places: number, players: number): BoardPlayers {
  const prime = shufflePrime(mix(boardSeed, 21));
  const start = pickIndex(mix(boardSeed, 22), players);
  const turns = Math.max(1, Math.floor(players / Math.max(1, places)));
  return {
    nameOf(place, career, isRenamed) {
      const turn = 2 * career + (isRenamed ? 1 : 0);
      const placeSeed = mix(mix(boardSeed, 23), place);
      if (fraction(placeSeed) < AWKWARD_SHARE) {
        return AWKWARD_NAMES[(pickIndex(mix(placeSeed, 1), AWKWARD_NAMES.length) + turn) % AWKWARD_NAMES.length] ?? '';
      }
      return gamertag(((place + places * (turn % turns)) * prime + start) % players);
    },
  };
}
