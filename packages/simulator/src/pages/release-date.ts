import { hashText } from '../world/hash.ts';
import type { Title } from '../world/title.ts';

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

export function formatReleaseDate(title: Title): string | undefined {
  if (title.releaseDate === null) return undefined;
  if (hashText(title.titleId) % 3 === 0) return title.releaseDate;
  const [year = '', month = '', day = ''] = title.releaseDate.split('-');
  return `${Number(day)} ${MONTHS[Number(month) - 1] ?? ''} ${year}`;
}
