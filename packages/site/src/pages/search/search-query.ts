import { offset, oneOf } from '@lobbystats/contracts';
import { z } from 'zod';
import type { Html } from '../../html.ts';
import { links } from '../../links.ts';
import { choices } from '../../parts/choices.ts';
import type { View } from '../../page.ts';

/** Forms of the search page: each has its own parameters. */
const FORMS = {
  names: 'Names',
  time: 'By time',
  players: 'Several players',
  ranks: 'Players at ranks',
} as const;

type SearchForm = keyof typeof FORMS;

const formNames = Object.keys(FORMS) as [SearchForm, ...SearchForm[]];

/** The operations validate it: the page shows their message beside the field. */
const text = z.string({ error: 'must be given once' }).optional();

export const searchQuery = z.object({
  by: oneOf(formNames).default('names'),
  ...{ q: text, time: text, names: text, ranks: text, tolerance: text, game: text, cursor: text },
  offset,
});

export type SearchQuery = z.output<typeof searchQuery>;

/** One form with its results. */
export type SearchView = Pick<View, 'alternates' | 'content'>;

/** The same form with the same input, on another of its pages. */
export function searchPath({ by, offset: from, ...fields }: SearchQuery, page: Partial<SearchQuery> = {}): string {
  const { offset: start = from, ...rest } = page;
  return links.search({
    ...(by === 'names' ? {} : { by }),
    ...fields,
    ...(start === 0 ? {} : { offset: start }),
    ...rest,
  });
}

/** @param current the form that is shown */
export function searchForms(current: SearchForm): Html {
  return choices(
    'Search for',
    formNames.map((form) => ({
      text: FORMS[form],
      href: form === 'names' ? links.search() : links.search({ by: form }),
      isCurrent: form === current,
    })),
  );
}
