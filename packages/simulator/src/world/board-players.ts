import { gamertag } from './gamertags.ts';
import { fraction, mix, pickIndex, shufflePrime } from './hash.ts';

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
  nameOf(position: number, career: number, isRenamed: boolean): string;
}

/** No player holds two positions at a time. */
export function boardPlayers(boardSeed: number, positionCount: number, players: number): BoardPlayers {
  const prime = shufflePrime(mix(boardSeed, 21));
  const start = pickIndex(mix(boardSeed, 22), players);
  const namesPerPosition = Math.max(1, Math.floor(players / Math.max(1, positionCount)));
  return {
    nameOf(position, career, isRenamed) {
      const nameIndex = 2 * career + (isRenamed ? 1 : 0);
      const positionSeed = mix(mix(boardSeed, 23), position);
      if (fraction(positionSeed) < AWKWARD_SHARE) {
        return (
          AWKWARD_NAMES[(pickIndex(mix(positionSeed, 1), AWKWARD_NAMES.length) + nameIndex) % AWKWARD_NAMES.length] ??
          ''
        );
      }
      return gamertag(((position + positionCount * (nameIndex % namesPerPosition)) * prime + start) % players);
    },
  };
}
