import { formatRaceTime, operations, type Change } from '@lobbystats/contracts';
import { html, type Html } from '../../html.ts';
import { links } from '../../links.ts';
import type { PageData } from '../../page.ts';
import { list } from '../../parts/list.ts';
import { section } from '../../parts/part.ts';
import { name } from '../../parts/text.ts';
import type { SearchQuery } from './search-query.ts';

const { listChanges } = operations;

/** Operations that {@link searchExamples} asks. */
export const exampleOperations = [listChanges] as const;

const RECORDS = 20;
const TOLERANCE_MS = 500;

interface Example {
  readonly by: SearchQuery['by'];
  readonly href: string;
  readonly text: Html;
}

/** A search to begin with in each form but that of names, from the newest records: it finds something. */
export async function searchExamples(by: SearchQuery['by'], data: PageData): Promise<Html | ''> {
  const newest = await data.askPart(listChanges, {}, { records: 'only', limit: RECORDS });
  const all = examplesOf(newest?.changes ?? []);
  const shown = by === 'names' ? all : all.filter((example) => example.by === by);
  if (shown.length === 0) return '';
  return section(
    'examples',
    by === 'names' ? 'More ways to search' : 'For example',
    list<Example>({
      ...{ id: 'example', rows: shown, key: (example) => example.by, empty: '' },
      item: ({ href, text }) => html`<a href="${href}">${text}</a>`,
    }),
  );
}

/** @param records newest first */
function examplesOf(records: readonly Change[]): readonly Example[] {
  const timeMs = records.find((record) => record.isTime)?.newTimeMs ?? undefined;
  const [first, second] = new Set(records.map(({ playerName }) => playerName));
  const time = timeMs === undefined ? undefined : formatRaceTime(timeMs);
  return [
    ...(time === undefined
      ? []
      : [
          {
            by: 'time' as const,
            href: links.search({ by: 'time', time, tolerance: TOLERANCE_MS }),
            text: html`Whose times are within half a second of ${time}`,
          },
        ]),
    ...(first === undefined || second === undefined
      ? []
      : [
          {
            by: 'players' as const,
            href: links.search({ by: 'players', names: `${first},${second}` }),
            text: html`On which leaderboards ${name(first)} and ${name(second)} are`,
          },
        ]),
    ...(first === undefined
      ? []
      : [
          {
            by: 'ranks' as const,
            href: links.search({ by: 'ranks', ranks: `1 ${first}` }),
            text: html`On which leaderboards ${name(first)} is rank 1`,
          },
        ]),
  ];
}
