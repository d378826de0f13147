const COUNTERS: readonly string[] = [
  '<div class="col"><h3>N</h3><p>L</p></div>',
  '<div class="card"><p>L</p><h3>N</h3></div>',
  '<dl><dt>L</dt><dd>N</dd></dl>',
  '<li>L <span class="badge">N</span></li>',
  '<p>L: <b>N</b></p>',
  '<p><b>N</b> L</p>',
  '<div class="stat"><div class="stat-title">L</div><div class="stat-value">N</div><div class="stat-desc">since noon</div></div>',
  '<div class="level-item"><div><p class="heading">L</p><p class="title">N</p></div></div>',
  '<div class="flex"><i class="material-icons">people</i><div><span class="block">N</span><span class="block">L</span></div></div>',
  '<table><tr><th>L</th><td>N</td></tr></table>',
  '<div class="ui statistic"><div class="value">N</div><div class="label">L</div></div>',
  '<div><h3><span class="d-none">V</span>N</h3><p><span class="sr-only">V </span>L</p></div>',
];
/** Counters in one list: which side the numbers are on shows in the whole list alone. */
const LISTS: readonly [before: string, one: string, after: string][] = [
  ['<dl>', '<dt>L</dt><dd>N</dd>', '</dl>'],
  ['<div>', '<p>L</p><h3>N</h3>', '</div>'],
  ['<div>', '<h3>N</h3><p>L</p>', '</div>'],
  ['<div class="d-flex flex-column">', '<span>N</span><span class="text-muted">L</span>', '</div>'],
];

export const COUNTER_MARKUPS = COUNTERS.length + LISTS.length;

export function countersHtml(counters: readonly (readonly [label: string, number: string])[], kind: number): string {
  const [before, single, after] =
    kind < COUNTERS.length ? ['', COUNTERS[kind] ?? '', ''] : (LISTS[kind - COUNTERS.length] ?? ['', '', '']);
  const each = counters.map(([label, number]) => {
    return single.replace(/[NLV]/g, (letter) => (letter === 'N' ? number : letter === 'L' ? label : '7'));
  });
  return before + each.join('') + after;
}
