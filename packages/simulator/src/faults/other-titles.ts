import { mix } from '../world/hash.ts';

const TITLE_IDS = 2 ** 32;

/** Lists titles that no one plays below those of the homepage, with other IDs for each `chance`. */
export function withOtherTitles(html: string, count: number, chance: number): string {
  const rows = Array.from({ length: count }, (_, index) => {
    const titleId = ((mix(chance, 7) + index) % TITLE_IDS).toString(16).padStart(8, '0');
    const cells = [`<a href="/games/${titleId}">Other ${titleId}</a>`, titleId, '0', '-'];
    return `<tr><td></td>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  });
  return html.replace('</tbody>', () => `${rows.join('\n')}\n</tbody>`);
}
