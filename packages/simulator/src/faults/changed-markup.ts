import { fraction, mix, pick } from '../world/hash.ts';

const TAG = /<([a-z][a-z0-9]*)((?:\s+[a-z-]+(?:=(?:"[^"]*"|[^\s">]+))?)+)\s*>/g;
const ATTRIBUTE = /([a-z-]+)(?:=(?:"([^"]*)"|([^\s">]+)))?/g;

type Change = (html: string) => string;

const BREAKING: readonly [Change, ...Change[]] = [
  (html) => html.replace(/<td class="text-right">[^<]*(<\/td>)?/g, ''),
  (html) =>
    html
      .replaceAll('table-striped', 'table-zebra')
      .replace(/\bleaderboard(["\s])/g, 'ranking$1')
      .replaceAll('<h3>', '<h4>')
      .replaceAll('</h3>', '</h4>'),
  (html) => html.replace(/<h3>([\d,]+)/g, abbreviateThousands).replace(/(<td class="text-right">)\d[^<]*/g, '$1many'),
  (html) => html.replace(/(<h3>|<td class="text-right">)\d[\d,/]*/g, '$1n/a'),
  (html) =>
    html
      .replace(/<table/g, '<div')
      .replace(/<\/table>/g, '</div>')
      .replaceAll('<p>', '<small>'),
];

/** Changes the markup, not the data. */
export function harmlessMarkup(html: string, chance: number): string {
  let tags = 0;
  return html
    .replace(TAG, (_, name: string, attributes: string) => {
      tags += 1;
      return `<${name} ${changeAttributes(attributes, mix(chance, tags))}>`;
    })
    .replaceAll('&amp;', fraction(mix(chance, 0)) < 0.5 ? '&#38;' : '&#x26;')
    .replace(/<(td|p|li|h3)((?: [^>]*)?)>/g, '<$1$2>\n    ');
}

/** Removes data; readers must reject the page instead of reading zeros. */
export function brokenMarkup(html: string, chance: number): string {
  return pick(mix(chance, 1), BREAKING)(html);
}

function abbreviateThousands(_: string, digits: string): string {
  return `<h3>${(Number(digits.replaceAll(',', '')) / 1_000).toFixed(1)}k`;
}

function changeAttributes(attributes: string, chance: number): string {
  const shuffled = [...attributes.matchAll(ATTRIBUTE)]
    .map(([, name = '', quoted, bare], index) => ({ name, value: quoted ?? bare, order: mix(chance, index) }))
    .sort((one, other) => one.order - other.order)
    .map(({ name, value }) => (value === undefined ? name : formatAttribute(name, value, chance)));
  return [...shuffled, `data-v-${(chance % 4_096).toString(16)}`].join(' ');
}

function formatAttribute(name: string, value: string, chance: number): string {
  const longer = name === 'class' ? `x${chance % 97} ${value} is-new` : value;
  return fraction(mix(chance, 50)) < 0.5 && !longer.includes("'") ? `${name}='${longer}'` : `${name}="${longer}"`;
}
