import fc from 'fast-check';
import { COUNTER_MARKUPS } from './counter-designs.ts';
import { page } from './page-builder.ts';
import { withRoles } from './table-roles.ts';
import { DIGITS, LAKHS, RANKS } from './written-numbers.ts';

/** Markup in which sites show one value, with what stands around it. `N` is the value, `V` a value of something else. */
const NAME_MARKUPS: readonly string[] = [
  'N',
  '<a href="/x">N</a>',
  '<a href="/x"><img src="/i.png" alt="V"></a> <a href="/x">N</a>',
  '<a class="d-flex align-items-center"><img alt="V"><span>N</span></a>',
  '<div class="flex items-center gap-2"><svg><title>V</title></svg><span class="font-medium text-gray-900">N</span></div>',
  '<strong>N</strong>',
  '<p class="title is-6">N</p>',
  '<th scope="row">N</th>',
  '<bdi>N</bdi>',
  '<x-name><span slot="text">N</span></x-name>',
  'N <span class="badge bg-primary">V</span>',
  '<span class="label label-info">V</span> N',
  '<a>N</a> <span class="inline-flex rounded-full bg-green-50 px-2 py-1 text-xs">V</span>',
  '<a>N</a><span class="tag is-info">V</span>',
  '<i class="material-icons">person</i> N',
  '<span class="material-symbols-outlined" aria-hidden="true">star</span><span>N</span>',
  '<i class="fa-solid fa-user"></i>&nbsp;N',
  '<mat-icon>grade</mat-icon><a>N</a>',
  '<span class="sr-only">V: </span>N',
  '<span class="visually-hidden">V</span><a>N</a>',
  '<span class="d-none">V</span>N',
  '<span class="hidden lg:inline">N</span><span class="lg:hidden">V</span>',
  '<span class="d-none d-md-block">N</span><span class="d-md-none">V</span>',
  '<span style="display: none">V</span>N',
  '<span hidden>V</span>N<template>V</template>',
  '<!-- V -->N<!-- V -->',
  'N <button class="btn btn-sm">V</button>',
  'N <span class="text-xs text-green-600">▲ 3</span>',
  '<div class="avatar">V</div><a href="/x">N</a>',
  '<span class="tooltip"><span class="tooltiptext">V</span></span>N',
  '<span role="img" aria-label="V">V</span> N',
  '<a title="V" data-name="V">N</a><noscript>V</noscript>',
  'N<sup><a href="#n">V</a></sup>',
  '<details><summary>N</summary><p>V</p></details>',
  '<ruby>N<rp>(</rp><rt>V</rt><rp>)</rp></ruby>',
  '<span class="gone">V</span>N',
];

const NUMBER_MARKUPS: readonly string[] = [
  'N',
  '<strong>N</strong>',
  '<span class="badge rounded-pill">N</span>',
  '<span class="inline-flex rounded-md bg-blue-50 px-2">N</span>',
  '<data value="V">N</data>',
  '<span class="d-none">V</span>N',
  '<span style="display:none">V</span><span>N</span>',
  '<span class="sr-only">V</span>N',
  'N<span class="visually-hidden"> of V</span>',
  '<span hidden>V</span>N',
  '<i class="fas fa-users"></i> N',
  '<i class="material-icons">people</i>N',
  '<svg><text>V</text></svg>N',
  '<span class="d-none d-lg-inline">N</span><span class="d-lg-none">V</span>',
  '<span class="hidden md:block">N</span><span class="md:hidden">V</span>',
  '<div class="text-right tabular-nums">N</div>',
  '<a href="?sort=V">N</a>',
  'N <span class="badge">HOT</span>',
  'N <small class="badge">+V%</small>',
  '<span class="badge">N</span> <span class="badge text-success">▲ V</span>',
  'N <span class="text-xs text-green-600">▲ V</span>',
  '<div>N</div><div class="sub">↓ V today</div>',
  'N<span class="chip">(-V today)</span>',
  '&rlm;N&lrm;',
  '<!--V-->N<!--V-->',
  '<template>V</template>N<noscript>V</noscript>',
  '<span class="gone">V</span>N',
  '<span data-count="V" title="V">N</span>',
];

/** Markup that shows another number as well, or none: a reader may refuse it. */
const UNCLEAR_NUMBERS: readonly string[] = [
  'N<sup>V</sup>',
  'N<small>V</small>',
  '<span>V</span><span>N</span>',
  'N <span class="badge">V</span>',
  'N <span class="badge">HOT</span> V00',
  'N<span class="badge">K</span>',
  'N.4K',
  'N<b>&rlm;</b>V',
  'V N',
  'N (V)',
  'N+',
  '~N',
  'Nk',
  '…',
  '',
  'N/A',
  '<div>V</div><div>N</div>',
  '<del>V</del> <ins>N</ins>',
  '<span class="x">N</span>, <span class="x">V</span>',
  '<input value="N">',
  '<progress value=V>N</progress>',
];

const UNCLEAR_NAMES: readonly string[] = [
  '<span class="a">N</span> <span class="b">V</span>',
  '<span class="b">V</span> <a>N</a>',
  '<a>N</a> <a>V</a>',
  '<b class="clan">V</b> N',
  '<div>V</div><div class="c">N</div>',
  '<small>V</small> N',
  'N\uFFFD',
  '<img alt="N">',
];

export interface Markups {
  name: string;
  number: string;
  /** Before or after each row. */
  rowsBetween: readonly string[];
  /** Shuffles the columns. */
  order: readonly number[];
  /** Index of the synonym of each heading. */
  word: number;
  heading: string;
  table: string;
  counters: number;
  separator: string;
  /** The digits 0 to 9. */
  digits: string;
  rank: number;
  /** Between players and maximum in one column; `''` for columns of their own. */
  of: string;
  /** Whether tables are of other elements with the roles of tables. */
  aria: boolean;
  head: number;
  hiddenColumn: boolean;
  otherColumn: boolean;
}

const ROWS_BETWEEN: readonly string[] = [
  '',
  '<tr hidden><td>1</td><td>Ghost</td><td>9</td></tr>',
  '<tr class="d-none"><td colspan="9">Ghost 9</td></tr>',
  '<tr class="collapse"><td colspan="9">3 details</td></tr>',
  '<tr><td colspan="9">Classics</td></tr>',
  '<tr class="ad"><td colspan="9">Advertisement</td></tr>',
  '<tr style="display:none"><td>x</td></tr>',
  '<!-- <tr><td>1</td><td>Ghost</td><td>9</td></tr> -->',
];

const TABLES: readonly string[] = [
  '<table class="table table-striped table-hover">@</table>',
  '<div class="table-responsive"><table class="table">@</table></div>',
  '<table class="min-w-full divide-y divide-gray-300">@</table>',
  '<table class="table is-fullwidth is-striped">@</table>',
  '<table class="ui celled table">@</table>',
  '<table class="MuiTable-root">@</table>',
  '<figure class="wp-block-table"><table>@</table><figcaption>Live</figcaption></figure>',
  '<table class="striped" border=0><caption>Games</caption><colgroup><col></colgroup>@</table>',
  '<table class="table d-none"><tr><td>Old</td><td>1</td></tr></table><table class="table">@</table>',
];

const HEADINGS: readonly string[] = [
  'N',
  'N ▲',
  '<a href="?sort=1">N</a>',
  'N:',
  '<span class="sr-only">Sort by </span>N',
  '<span>N</span> <i class="material-icons">sort</i>',
  'N <span class="badge">5</span>',
];
const HEADS: readonly string[] = [
  '<thead><tr>H</tr></thead><tbody>R</tbody>',
  '<tr>H</tr>R',
  '<thead><tr><th colspan="9">Live</th></tr><tr>H</tr></thead><tbody>R</tbody><tfoot><tr>F</tr></tfoot>',
  '<thead><tr>H</tr><tr>S</tr></thead><tbody>R</tbody>',
];

const one = (values: readonly string[]) => fc.constantFrom(...values);

const harmless = {
  rowsBetween: fc.array(one(ROWS_BETWEEN), { minLength: 1, maxLength: 3 }),
  order: fc.array(fc.nat(1000), { minLength: 12, maxLength: 12 }),
  word: fc.nat(11),
  heading: one(HEADINGS),
  table: one(TABLES),
  counters: fc.nat(COUNTER_MARKUPS - 1),
  separator: fc.constantFrom('', ',', '.', ' ', '\u00a0', '\u202f', "'", '’', '&thinsp;', '٬', LAKHS),
  digits: one(DIGITS),
  rank: fc.nat(RANKS.length - 1),
  of: fc.constantFrom('', '/', ' of ', '⁄', '&frasl;', ' / ', '∕', '／', ' out of '),
  aria: fc.boolean(),
  head: fc.nat(HEADS.length - 1),
  hiddenColumn: fc.boolean(),
  otherColumn: fc.boolean(),
};

/** Markups of which a person can tell each value. */
export const clearMarkups: fc.Arbitrary<Markups> = fc.record({
  ...harmless,
  name: one(NAME_MARKUPS),
  number: one(NUMBER_MARKUPS),
});

/** Markups of which at least one leaves a value unclear. */
export const unclearMarkups: fc.Arbitrary<Markups> = fc.oneof(
  fc.record({ ...harmless, name: one(UNCLEAR_NAMES), number: one(NUMBER_MARKUPS) }),
  fc.record({ ...harmless, name: one(NAME_MARKUPS), number: one(UNCLEAR_NUMBERS) }),
  fc.record({ ...harmless, name: one(UNCLEAR_NAMES), number: one(UNCLEAR_NUMBERS) }),
);

export interface Column {
  words: readonly string[];
  kind: 'name' | 'number' | 'text';
  /** One for each row. */
  values: readonly string[];
}

export function escaped(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** A value in a markup; a number of something else stands where the markup has one. */
export function render(markup: string, value: string, other = '7'): string {
  return markup
    .replace(/N|V/g, (letter) => (letter === 'N' ? value : other))
    .replace(/^<th scope="row">(.*)<\/th>$/, '$1');
}

/** A table with these columns in a random order, with columns of other things and hidden ones. */
export function tableHtml(columns: readonly Column[], markups: Markups): string {
  const { name, number, rowsBetween, order, word, heading, table, head, hiddenColumn, otherColumn, aria } = markups;
  const count = columns[0]?.values.length ?? 0;
  const other: Column = {
    words: ['Map'],
    kind: 'text',
    values: Array.from({ length: count }, (_, index) => `Field ${index}`),
  };
  const shown = [...columns, ...(otherColumn ? [other] : [])]
    .map((column, index) => ({ column, order: order[index] ?? 0 }))
    .sort((first, second) => first.order - second.order)
    .map(({ column }) => column);
  const hidden = hiddenColumn ? '<C class="d-none">77</C>' : '';
  const heads = shown.map(({ words }) => `<th>${render(heading, words[word % words.length] ?? '')}</th>`).join('');
  const cell = ({ kind, values }: Column, row: number) => {
    const value = values[row] ?? '';
    return `<td>${kind === 'name' ? render(name, value, 'PRO') : kind === 'number' ? render(number, value) : value}</td>`;
  };
  const rows = Array.from(
    { length: count },
    (_, row) =>
      `${(rowsBetween[row % rowsBetween.length] ?? '').replace('colspan="9"', `colspan="${shown.length}"`)}<tr>${hidden.replaceAll('C', 'td')}${shown.map((column) => cell(column, row)).join('')}</tr>`,
  );
  const blank = shown.map(() => '<th><input></th>').join('');
  const footer = shown.map(({ kind }) => `<td>${kind === 'number' ? '999' : 'Total'}</td>`).join('');
  const content = (HEADS[head] ?? '').replace(/[HRFS]/g, (letter) => {
    if (letter === 'H') return hidden.replaceAll('C', 'th') + heads;
    if (letter === 'R') return rows.join('\n');
    return letter === 'F' ? footer : hidden.replaceAll('C', 'th') + blank;
  });
  const html = table.replace('@', () => content.replace('colspan="9">Live', `colspan="${shown.length}">Live`));
  return aria ? withRoles(html) : html;
}

/** A page whose style sheet hides a class. */
export function designedPage(content: string): string {
  return page(content).replace('<head>', '<head><meta charset="utf-8"><style>.gone, .x-gone { display: none }</style>');
}
