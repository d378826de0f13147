import { operations, isolated } from '@lobbystats/contracts';
import { z } from 'zod';
import { html } from '../../html.ts';
import { apiPath, links } from '../../links.ts';
import { definePage, mediaTypes, type Alternate, type PageData } from '../../page.ts';
import { section } from '../../parts/part.ts';
import { snapshotRanges } from '../../parts/ranges.ts';
import { gameNameOf } from '../../parts/text.ts';
import { comparedGames, comparedGamesOperations } from './compared-games.ts';
import { comparedPlayers, comparedPlayersOperations } from './compared-players.ts';
import { chooseGames, choosePlayers, comparePath, comparisonQuery, type Comparison } from './comparison.ts';
import { gameForm, messages, playerForm } from './forms.ts';

const { compareGames, searchByPlayers } = operations;

export const compare = definePage({
  id: 'getComparePage',
  path: links.compare(),
  params: z.object({}),
  query: comparisonQuery,
  style: 'compare',
  asks: [...comparedGamesOperations, ...comparedPlayersOperations],
  view: async ({ query: { games, players, range, offset } }, data) => {
    const chosenGames = chooseGames(games, data.titles);
    const chosenPlayers = choosePlayers(players);
    const comparison = { titleIds: chosenGames.names, players: chosenPlayers.names, range };
    const [ofGames, ofPlayers] = await Promise.all([
      comparedGames(comparison, data),
      comparedPlayers(
        {
          names: comparison.players,
          offset,
          href: (to) => `${comparePath(comparison, to)}#players`,
          hrefWith: (players) => `${comparePath({ ...comparison, players })}#players`,
        },
        data,
      ),
    ]);
    const title = titleOf(comparison, data);
    return {
      title,
      description: `${title}: users online in up to six games in one plot, and two players on their common leaderboards.`,
      path: comparePath(comparison, offset),
      topics: ['online', 'changes', 'backfill'],
      alternates: alternates(comparison),
      content: html`<h1>${title}</h1>
        ${section(
          'games',
          'Games',
          html`${messages(
            'game',
            chosenGames,
            (_, titleId) => comparePath({ ...comparison, titleIds: [...comparison.titleIds, titleId] }),
            (titleId) => gameNameOf(data.titles, titleId),
          )}${gameForm(comparison)}${ofGames}`,
        )}
        ${section(
          'players',
          'Players',
          html`${messages('player', chosenPlayers, () => '')}${playerForm(comparison)}${ofPlayers}`,
        )}`,
    };
  },
});

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
