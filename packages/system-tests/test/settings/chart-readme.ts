import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMap, isScalar, parseDocument, type YAMLMap } from 'yaml';

const HELM = join(import.meta.dirname, '../../../../infra/helm');
const HEADING = '## Values\n';

export const CHART_NAMES = ['lobbystats', 'lobbystats-servers'] as const;
export type ChartName = (typeof CHART_NAMES)[number];

export function chartReadme(chart: ChartName): string {
  return join(HELM, chart, 'README.md');
}

/** The README of a chart, with the table of values from the comments of values.yaml. */
export function printedChartReadme(chart: ChartName): string {
  const readme = readFileSync(chartReadme(chart), 'utf8');
  const [written = ''] = readme.split(`\n${HEADING}`, 1);
  const { contents } = parseDocument(readFileSync(join(HELM, chart, 'values.yaml'), 'utf8'));
  if (!isMap(contents)) throw new Error(`values.yaml of ${chart} is no map`);
  const rows = rowsOf(contents, '').map((cells) => `| ${cells.join(' | ')} |`);
  return [written.trimEnd(), '', HEADING, '| Value | Default | Meaning |', '| --- | --- | --- |', ...rows, ''].join(
    '\n',
  );
}

/** A row for each value. The settings, which .env.example describes, and a map without comments inside are one value. */
function rowsOf(map: YAMLMap, prefix: string): string[][] {
  return map.items.flatMap(({ key, value }, index) => {
    if (!isScalar(key)) throw new Error(`a key below ${prefix} is no text`);
    const name = `${prefix}${String(key.value)}`;
    // The parser gives the comment of the first key to its map.
    const comment = key.commentBefore ?? (index === 0 && prefix !== '' ? map.commentBefore : undefined) ?? '';
    // The first comment of the file has a paragraph about the file.
    const meaning = (comment.split(/\n\s*\n/).at(-1) ?? '').replaceAll('|', '\\|').replace(/\s+/g, ' ').trim();
    const inner = isMap(value) && name !== 'settings' ? rowsOf(value, `${name}.`) : [];
    if (inner.some(([, , text]) => text !== '')) {
      return meaning === '' ? inner : [[`\`${name}\``, '', meaning], ...inner];
    }
    const text =
      name === 'settings' ? '' : `\`${JSON.stringify(isMap(value) || !isScalar(value) ? value : value.value)}\``;
    return [[`\`${name}\``, text, meaning]];
  });
}
