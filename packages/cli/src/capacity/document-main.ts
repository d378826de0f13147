import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { documentTables, type Table } from './capacity-tables.ts';

// Writes the tables into docs/capacity.md, each between two comments.
const FILE = join(import.meta.dirname, '../../../../docs/capacity.md');

let text = readFileSync(FILE, 'utf8');
for (const [name, table] of Object.entries(documentTables())) {
  const [begin, end] = [`<!-- begin ${name} -->`, `<!-- end ${name} -->`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`docs/capacity.md has no "${begin}" and "${end}"`);
  text = `${text.slice(0, from + begin.length)}\n\n${markdown(table)}\n${text.slice(to)}`;
}
writeFileSync(FILE, text);

function markdown([head = [], ...rows]: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('');
}
