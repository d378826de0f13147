import { mix, pick } from './hash.ts';

const OCCASIONS = [
  'Harbour',
  'Midnight',
  'Sunday',
  'Rookies’',
  'All-Comers',
  'Lantern',
  'Salt & Sabre',
  '"Last Call"',
  '<Open>',
  'Étoile',
  '=Grand=',
] as const;
const EVENT_FORMS = ['Night', 'Meet-up', 'Free Play', 'Showcase', 'Stream; with friends'] as const;
const TOURNAMENT_FORMS = ['Cup', 'Open', 'Knock-out', 'League, round 1', 'Time Attack'] as const;
const DESCRIPTIONS = [
  'Eight laps of the old pier. Bring friends, and a spare controller; the lobby opens ten minutes early.',
  '',
  'Rules:\n1. No ramming\n2. No C:\\shortcuts\n3. Have fun, please; it is only a game.',
  'Open to everyone <b>except</b> last year’s winner & their dog 🐕.',
  `${'A long evening asks for a long description. '.repeat(30)}The end.`,
  'Zum Auftakt: drei Läufe, Ligapunkte für alle. 参加自由。',
] as const;

export function eventTexts(hash: number, isTournament: boolean): { title: string; description: string } {
  const form = isTournament ? pick(mix(hash, 2), TOURNAMENT_FORMS) : pick(mix(hash, 2), EVENT_FORMS);
  return { title: `${pick(mix(hash, 1), OCCASIONS)} ${form}`, description: pick(mix(hash, 3), DESCRIPTIONS) };
}
