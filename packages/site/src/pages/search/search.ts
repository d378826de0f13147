import { operations, plainText } from '@lobbystats/contracts';
import { z } from 'zod';
import { html } from '../../html.ts';
import { links } from '../../links.ts';
import { definePage, type PageData } from '../../page.ts';
import { exampleOperations, searchExamples } from './examples.ts';
import { nameSearch } from './name-search.ts';
import { playersSearch } from './players-search.ts';
import { ranksSearch } from './ranks-search.ts';
import { searchForms, searchPath, searchQuery, type SearchQuery, type SearchView } from './search-query.ts';
import { timeSearch } from './time-search.ts';

const { suggestNames, listGames, getPlayer, getProfile, listAchievements } = operations;
const { searchByTime, searchByPlayers, searchByRanks } = operations;

const SEARCHES: Readonly<Record<SearchQuery['by'], (query: SearchQuery, data: PageData) => Promise<SearchView>>> = {
  names: nameSearch,
  time: timeSearch,
  players: playersSearch,
  ranks: ranksSearch,
};

export const search = definePage({
  id: 'getSearchPage',
  path: links.search(),
  params: z.object({}),
  query: searchQuery,
  style: 'search',
  asks: [
    ...[suggestNames, listGames, getPlayer, getProfile, listAchievements],
    ...[searchByTime, searchByPlayers, searchByRanks, ...exampleOperations],
  ],
  view: async ({ query }, data) => {
    const { by, q = '' } = query;
    const isAsked = [q, query.time, query.names, query.ranks].some((input) => input !== undefined && input !== '');
    const [{ content, alternates }, examples] = await Promise.all([
      SEARCHES[by](query, data),
      isAsked ? '' : searchExamples(by, data),
    ]);
    return {
      title: by === 'names' && q !== '' ? plainText`${q} · Search` : 'Search',
      description: 'Players, games, leaderboards and achievements by name, entries by time, and players by rank.',
      path: searchPath(query),
      // The profile of that name has tags of its own.
      isStorable: q === '',
      ...(alternates !== undefined && { alternates }),
      content: html`<div class="head"><h1>Search</h1></div>
        ${searchForms(by)}${content}${examples}`,
    };
  },
});
