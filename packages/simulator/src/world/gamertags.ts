import { fraction, mix } from './hash.ts';

const { floor } = Math;

const FIRST_WORDS = (
  'Amber Arctic Ashen Azure Bold Brisk Bronze Calm Chilly Cobalt Copper Cosmic Crisp Dizzy Dusty Eager ' +
  'Fabled Feral Frosty Gentle Ghost Gilded Glassy Grim Hasty Hidden Icy Indigo Ivory Jolly Kind Lime ' +
  'Lucky Mellow Misty Muted Neon Nimble Noble Olive Onyx Pale Plain Proud Quiet Rapid Rogue Royal ' +
  'Rusty Salty Scarce Sharp Silent Sleepy Smoky Solar Stout Swift Tidal Umber Velvet Vivid Wild Zesty'
).split(' ');
const SECOND_WORDS = (
  'Anvil Arrow Badger Beacon Bear Boar Bolt Comet Condor Cougar Crane Dagger Dingo Drake Eagle Ember ' +
  'Falcon Ferret Finch Fox Gecko Goat Harbor Hawk Heron Hornet Ibis Jackal Jaguar Kite Koala Lemur ' +
  'Lion Lynx Magpie Marlin Mole Moose Moth Newt Ocelot Orca Otter Owl Panda Puffin Python Raven ' +
  'Robin Rook Salmon Shark Stoat Stork Tapir Tiger Toad Viper Walrus Weasel Wolf Wren Yak Zebra'
).split(' ');

const PAIRS = FIRST_WORDS.length * SECOND_WORDS.length;
const NUMBERS = 1_000;
const MAX_LENGTH = 15;

const AWKWARD_GAMERTAGS = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', 'null', '0', '007', 'R&D &amp Co'];

export const GAMERTAG_COUNT = PAIRS * NUMBERS;

/** 1 to 15 letters, digits, spaces and `&`. Unique regardless of case and spaces. */
export function gamertag(player: number): string {
  const awkward = AWKWARD_GAMERTAGS[player];
  if (awkward !== undefined) return awkward;
  const round = floor(player / PAIRS);
  // Coprime factors: each pair and number comes once in a round.
  const pair = ((player % PAIRS) * 2_531 + round * 911) % PAIRS;
  const first = FIRST_WORDS[floor(pair / SECOND_WORDS.length)] ?? '';
  const second = SECOND_WORDS[pair % SECOND_WORDS.length] ?? '';
  const digits = round === 0 ? '' : String((round * 617) % NUMBERS);
  return spell(first, second, digits, fraction(mix(pair, round)));
}

function spell(first: string, second: string, digits: string, style: number): string {
  const plain = `${first}${second}${digits}`;
  if (style < 0.06) return withinMaxLength(`${first}&${second}${digits}`, plain);
  if (style < 0.3) return withinMaxLength(`${first} ${second}${digits}`, plain);
  if (style < 0.4) return withinMaxLength(`${first} ${second} ${digits}`.trim(), plain);
  if (style < 0.5) return plain.toLowerCase();
  return plain;
}

function withinMaxLength(preferred: string, shorter: string): string {
  return preferred.length <= MAX_LENGTH ? preferred : shorter;
}
