export type HostileShape =
  'nested-divs' | 'definition-terms' | 'attributes' | 'formatting' | 'nested-tables' | 'counter-labels' | 'activity';

export const HOSTILE_SHAPES: readonly HostileShape[] = [
  'nested-divs',
  'definition-terms',
  'attributes',
  'formatting',
  'nested-tables',
  'counter-labels',
  'activity',
];

interface Content {
  before: string;
  unit: (index: number) => string;
  after: string;
}

const LEVELS = { divs: 490, tables: 120, fonts: 400 };

const TABLE_OF_GAMES = '<table><tr><th>Title<th>Serial<th>Online<th>Activity<tr><td>Quiet<td>MS-074 41560023<td>0<td>-';

const CONTENTS: Record<HostileShape, Content> = {
  'nested-divs': { before: '<div>'.repeat(LEVELS.divs), unit: () => '<br>', after: '</div>'.repeat(LEVELS.divs) },
  'definition-terms': { before: '<dl>', unit: () => '<dt>', after: '</dl>' },
  attributes: { before: '<div', unit: (index) => ` a${index}`, after: '></div>' },
  formatting: {
    before: Array.from({ length: LEVELS.fonts }, (_, index) => `<font size=${index}>`).join(''),
    unit: () => '<p></p>',
    after: '</font>'.repeat(LEVELS.fonts),
  },
  'nested-tables': {
    before: '<table><tr><td>'.repeat(LEVELS.tables),
    unit: () => '<br>',
    after: '</table>'.repeat(LEVELS.tables),
  },
  'counter-labels': { before: '<div>', unit: () => '<p>Users Online Now</p>', after: '</div>' },
  activity: {
    before: `${TABLE_OF_GAMES}<tr><td>Halo 2<td>MS-074 4d530064<td>7<td>`,
    unit: () => 'x in ',
    after: 'x</table>',
  },
};

/** A deterministic homepage of about `bytes` with one hostile element; its fixed parts have up to 10 KB. */
export function hostilePage(shape: HostileShape, bytes: number): string {
  const { before, unit, after } = CONTENTS[shape];
  const head =
    '<!DOCTYPE html><html><head><title>Network</title></head><body>' +
    '<div><h3>464</h3><p>Users Online Now</p></div>' +
    (shape === 'activity' ? '' : `${TABLE_OF_GAMES}</table>`) +
    before;
  const tail = `${after}</body></html>\n`;
  const units: string[] = [];
  let bytesLeft = bytes - head.length - tail.length;
  for (let next = unit(0); next.length <= bytesLeft; next = unit(units.length)) {
    units.push(next);
    bytesLeft -= next.length;
  }
  return head + units.join('') + tail;
}
