import { mix, pick, fraction, pickIndex } from './hash.ts';

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

const PAID_SHARE = 0.3;
const PRIZE_SHARE = 0.4;
const ENTRY_FEES = [500, 1_000, 2_100, 5_000, 21_000] as const;
const SPONSORS = ['Heron & Sons Tyres', 'Café Étoile', 'Lantern "Light" Co.', 'Marten Motors'] as const;

export interface EventMoney {
  has_prize: boolean;
  prize_amount: string | null;
  is_paid_event: boolean;
  entry_fee_sats: number | null;
  reward_total_sats: number | null;
  pot_verified_balance_sats: number | null;
  sponsor_name: string | null;
}

export function eventMoney(hash: number, signups: number): EventMoney {
  const isPaid = fraction(mix(hash, 1)) < PAID_SHARE;
  const hasPrize = isPaid || fraction(mix(hash, 2)) < PRIZE_SHARE;
  const fee = pick(mix(hash, 3), ENTRY_FEES);
  const guaranteed = (1 + pickIndex(mix(hash, 4), 20)) * 10_000;
  const verified = Math.floor(fee * signups * (0.7 + 0.3 * fraction(mix(hash, 5))));
  return {
    has_prize: hasPrize,
    prize_amount: hasPrize ? prizeText(mix(hash, 6), guaranteed) : null,
    is_paid_event: isPaid,
    entry_fee_sats: isPaid ? fee : null,
    reward_total_sats: isPaid ? Math.max(guaranteed, fee * signups) : null,
    pot_verified_balance_sats: isPaid && fraction(mix(hash, 7)) < 0.8 ? verified : null,
    sponsor_name: fraction(mix(hash, 8)) < 0.25 ? pick(mix(hash, 9), SPONSORS) : null,
  };
}

function prizeText(hash: number, sats: number): string {
  return pick(hash, [`${sats.toLocaleString('en')} sats`, sats.toLocaleString('en'), 'A trophy & a handshake']);
}
