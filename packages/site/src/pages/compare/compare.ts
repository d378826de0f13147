import { operations, isolated } from '@lobbystats/contracts';
import { z } from 'zod';
import { html, type Html } from '../../html.ts';
import { apiPath, links } from '../../links.ts';
import { definePage, mediaTypes, type Alternate, type PageData } from '../../page.ts';
import { choices } from '../../parts/choices.ts';
import { section } from '../../parts/part.ts';
import { snapshotRanges } from '../../parts/ranges.ts';
import { gameNameOf } from '../../parts/text.ts';
import { comparedGames, comparedGamesOperations } from './compared-games.ts';
import { comparedPlayers, comparedPlayersOperations } from './compared-players.ts';
import {
  chooseGames,
  choosePlayers,
  comparePath,
  comparisonQuery,
  impliedTab,
  type Chosen,
  type Comparison,
} from './comparison.ts';
import { gameForm, messages, playerForm } from './forms.ts';

const { compareGames, searchByPlayers } = operations;

export const compare = definePage({
  id: 'getComparePage',
  path: links.compare(),
  params: z.object({}),
  query: comparisonQuery,
  style: 'compare',
  asks: [...comparedGamesOperations, ...comparedPlayersOperations],
  view: async ({ query: { games, players, range, offset, tab: given } }, data) => {
    const chosenGames = chooseGames(games, data.titles);
    const chosenPlayers = choosePlayers(players);
    const titleIds = chosenGames.names;
    // The names as given choose the tab, because it shows what is wrong with one of them.
    const tab =
      given ?? impliedTab({ titleIds: games.split(',').filter(Boolean), players: players.split(',').filter(Boolean) });
    const comparison = { titleIds, players: chosenPlayers.names, range, tab };
    const title = titleOf(comparison, data);
    return {
      title,
      description: `${title}: up to six games in one plot, and two players by leaderboards, records, play time and achievements.`,
      path: comparePath(comparison, offset),
      topics: ['online', 'changes', 'unlocks', 'profiles', 'backfill'],
      ...(tab === 'players' && { about: chosenPlayers.names }),
      // Profiles have tags of their own.
      isStorable: chosenPlayers.names.length === 0,
      alternates: alternates(comparison),
      content: html`<h1>${title}</h1>
        ${choices(
          'What is compared',
          (['games', 'players'] as const).map((one) => ({
            text: TAB_TEXTS[one],
            href: comparePath({ ...comparison, tab: one }),
            isCurrent: one === tab,
          })),
        )}
        ${await (tab === 'games'
          ? gamesTab(comparison, chosenGames, data)
          : playersTab(comparison, chosenPlayers, offset, data))}`,
    };
  },
});

const TAB_TEXTS = { games: 'Games', players: 'Players' } as const;

async function gamesTab(comparison: Comparison, chosen: Chosen, data: PageData): Promise<Html> {
  return section(
    'games',
    'Games',
    html`${messages(
      'game',
      chosen,
      (_, titleId) => comparePath({ ...comparison, titleIds: [...comparison.titleIds, titleId] }),
      (titleId) => gameNameOf(data.titles, titleId),
    )}${gameForm(comparison)}${await comparedGames(comparison, data)}`,
  );
}

async function playersTab(comparison: Comparison, chosen: Chosen, offset: number, data: PageData): Promise<Html> {
  const compared = await comparedPlayers(
    {
      names: comparison.players,
      offset,
      href: (to) => `${comparePath(comparison, to)}#boards`,
      hrefWith: (players) => comparePath({ ...comparison, players }),
      form: playerForm(comparison),
    },
    data,
  );
  return html`${messages('player', chosen, () => '')}${compared}`;
}

const lists = new Intl.ListFormat('en-GB');

function titleOf({ titleIds, players }: Comparison, { titles }: PageData): string {
  const names = [...titleIds.map((titleId) => gameNameOf(titles, titleId)), ...players];
  return names.length === 0 ? 'Compare games and players' : `Compare ${lists.format(names.map(isolated))}`;
}

function alternates({ titleIds, players, range }: Comparison): readonly Alternate[] {
  const { days, resolution } = snapshotRanges[range];
  const ofGames = { titleIds: titleIds.join(','), days, resolution };
  return [
    ...(titleIds.length === 0
      ? []
      : [{ type: mediaTypes.json, href: apiPath(compareGames.path, {}, ofGames), title: 'Games as JSON' }]),
    ...(players.length === 0
      ? []
      : [
          {
            type: mediaTypes.json,
            href: apiPath(searchByPlayers.path, {}, { names: players.join(',') }),
            title: 'Leaderboards of the players as JSON',
          },
        ]),
  ];
}
