/** The digits of Latin, Arabic, Persian, Hindi, Thai and Japanese pages. */
export const DIGITS: readonly string[] = [
  '0123456789',
  '٠١٢٣٤٥٦٧٨٩',
  '۰۱۲۳۴۵۶۷۸۹',
  '०१२३४५६७८९',
  '๐๑๒๓๔๕๖๗๘๙',
  '０１２３４５６７８９',
];
/** A separator of its own: `12,34,567`. */
export const LAKHS = 'lakhs';

const MEDALS = ['🥇', '🥈', '🥉'];
export const RANKS: readonly ((rank: number) => string)[] = [
  String,
  (rank) => `#${rank}`,
  (rank) => `${rank}.`,
  (rank) => `${MEDALS[rank - 1] ?? ''} ${rank}`,
  (rank) => `<span>${rank}</span> <span>${MEDALS[rank - 1] ?? ''}</span>`,
  (rank) => MEDALS[rank - 1] ?? String(rank),
  (rank) => `${rank}\uFE0F\u20E3`,
  (rank) => (rank === 1 ? `🏆 ${rank}` : String(rank)),
];

/** How a page writes its numbers. */
export interface Writing {
  separator: string;
  /** The digits 0 to 9. */
  digits: string;
}

/** A number in the digits and groups of a page. */
export function written(count: number, { separator, digits }: Writing): string {
  const groups = separator === LAKHS ? /\B(?=(?:\d{2})*\d{3}$)/g : /\B(?=(?:\d{3})+$)/g;
  const grouped = String(count).replace(groups, separator === LAKHS ? ',' : separator);
  return grouped.replace(/\d/g, (digit) => digits[Number(digit)] ?? digit);
}

/** The text with the digits of a page as ASCII digits. */
export function inAscii(text: string): string {
  return text.replace(/\p{Nd}/gu, (each) => {
    const script = DIGITS.find((digits) => digits.includes(each));
    return script === undefined ? each : String(script.indexOf(each));
  });
}

export function rankText(rank: number, kind: number): string {
  return (RANKS[kind] ?? String)(rank);
}
