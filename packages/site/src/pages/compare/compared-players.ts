import { nameKey, operations } from '@lobbystats/contracts';
import { hasCode } from '@lobbystats/contracts/errors';
import { html, type Html } from '../../html.ts';
import type { PageData } from '../../page.ts';
import { findPlayer, playerOperations, userOperations, type FoundPlayer } from '../../parts/find-player.ts';
import { jumpMarks } from '../../parts/jump-marks.ts';
import { list } from '../../parts/list.ts';
import { empty, part, section, UNAVAILABLE } from '../../parts/part.ts';
import { name, playerLink } from '../../parts/text.ts';
import { boardsSection } from './board-table.ts';
import { askCommonBoards, commonBoardsOperations } from './common-boards.ts';
import type { UnknownName } from './comparison.ts';
import { messages } from './forms.ts';
import { recentRecordsOperations, recordsSection } from './recent-records.ts';
import { achievementsOperations, achievementsSection } from './shared-achievements.ts';
import { gamesOperations, gamesSection } from './shared-games.ts';
import { duel, person } from './totals.ts';
import type { Pair } from './versus.ts';

const { getAchievementLeaderboard, listRivals, suggestNames } = operations;

/** Operations that {@link comparedPlayers} asks. */
export const comparedPlayersOperations = [
  ...[...userOperations, ...playerOperations, suggestNames, listRivals, getAchievementLeaderboard],
  ...[...commonBoardsOperations, ...gamesOperations, ...achievementsOperations, ...recentRecordsOperations],
] as const;

export interface PlayersPage {
  readonly names: readonly string[];
  /** In the common leaderboards. */
  readonly offset: number;
  readonly href: (offset: number) => string;
  /** The comparison of other players. */
  readonly hrefWith: (names: readonly string[]) => string;
  /** Chooses two players. */
  readonly form: Html;
}

/** Two players: faces, totals, play time, achievements, records and common leaderboards; or whom one may compare. */
export async function comparedPlayers(page: PlayersPage, data: PageData): Promise<Html> {
  const { names, hrefWith, form } = page;
  const found = await Promise.all(names.map((player) => findOrNull(player, data)));
  const unknown = names.filter((_, index) => found[index] === null);
  if (unknown.length > 0) {
    const named = await Promise.all(unknown.map((text) => similarPlayers(text, data)));
    const hrefOf = (text: string, meant: string) => hrefWith(names.map((one) => (one === text ? meant : one)));
    return chooser(html`${messages('player', { unknown: named, leftOut: [] }, hrefOf)}${form}`);
  }
  const [a, b] = found;
  if (found.includes(undefined)) return html`${chooser(form)}${UNAVAILABLE}`;
  if (a && b && nameKey(a.playerName) !== nameKey(b.playerName)) return comparison([a, b], page, data);
  return html`${chooser(html`${form}${await (a ? suggestions(a, hrefWith, data) : example(hrefWith, data))}`)}
    <div data-island="friends" data-friends="compare"></div>`;
}

async function comparison(players: Pair<FoundPlayer>, page: PlayersPage, data: PageData): Promise<Html> {
  const [first, second] = players;
  const users = first.user && second.user ? ([first.user, second.user] as const) : undefined;
  const [boards, games, achievements, records] = await Promise.all([
    askCommonBoards([first.playerName, second.playerName], data),
    users && gamesSection(players, users, data),
    users && achievementsSection(players, users, data),
    recordsSection(players, data),
  ]);
  return html`${duel(players, boards, data)}
  ${jumpMarks([
    ...(users
      ? ([
          ['common-games', 'Games'],
          ['achievements', 'Achievements'],
        ] as const)
      : []),
    ['recent-records', 'Records'],
    ['boards', 'Leaderboards'],
    ['others', 'Others'],
  ])}
  ${users ? html`${games}${achievements}` : accountNotes(players)} ${records}
  ${boardsSection(players, boards, page, data.titles)} ${section('others', 'Compare others', page.form)}`;
}

/** Play time and achievements belong to accounts. */
function accountNotes(players: Pair<FoundPlayer>): Html {
  const without = players.filter(({ user }) => user === null);
  if (without.length < players.filter(({ user }) => !user).length) return UNAVAILABLE;
  return html`<p class="empty">
    ${without.map((player, index) => html`${index > 0 && ' and '}${name(player.name)}`)}
    ${without.length === 1 ? 'has' : 'have'} no account here, so play time and achievements are not known.
  </p>`;
}

/** Undefined: unavailable. */
async function findOrNull(player: string, data: PageData): Promise<FoundPlayer | null | undefined> {
  try {
    return await findPlayer(player, data);
  } catch (error) {
    if (hasCode(error, 'not-found')) return null;
    if (hasCode(error, 'unavailable')) return undefined;
    throw error;
  }
}

async function similarPlayers(text: string, data: PageData): Promise<UnknownName> {
  const found = await data.askPart(suggestNames, {}, { q: text, type: 'player' });
  return { text, candidates: (found?.suggestions ?? []).map(({ name: meant }) => ({ key: meant, name: meant })) };
}

function chooser(content: Html): Html {
  return section('players', 'Players', content);
}

const SUGGESTED = 8;

/** Whom to compare one player with: who passed them lately, else the first by achievements. */
async function suggestions(chosen: FoundPlayer, hrefWith: PlayersPage['hrefWith'], data: PageData): Promise<Html> {
  const found = await data.askPart(listRivals, { player: chosen.playerName }, { limit: SUGGESTED });
  const rivals = found?.rivals.map(({ playerName }) => playerName) ?? [];
  const first = rivals.length > 0 ? undefined : await data.askPart(getAchievementLeaderboard, {}, { limit: SUGGESTED });
  const others = [...new Set([...rivals, ...(first?.leaderboard.map(({ username }) => username) ?? [])])].filter(
    (other) => nameKey(other) !== nameKey(chosen.name),
  );
  return html`<div class="duel">
    ${person(chosen, 1, data)}
    <p class="score value">vs</p>
    <div class="banner series-2">
      <h2>${rivals.length > 0 ? 'Who passed them in 7 days' : 'First by achievements'}</h2>
      ${list<string>({
        ...{ id: 'other', rows: others, key: (other) => other, empty: 'Nobody yet' },
        item: (other) => playerLink(other, hrefWith([chosen.name, other])),
      })}
    </div>
  </div>`;
}

/** Two players to begin with. */
async function example(hrefWith: PlayersPage['hrefWith'], data: PageData): Promise<Html> {
  return part(await data.askPart(getAchievementLeaderboard, {}, { limit: 2 }), ({ leaderboard }) => {
    const names = leaderboard.map(({ username }) => username);
    const [a, b] = names;
    if (a === undefined || b === undefined) return empty('Choose two players');
    return html`<p class="empty">
      Choose two players, or begin with the first two by achievements:
      <a href="${hrefWith(names)}">${name(a)} and ${name(b)}</a>.
    </p>`;
  });
}
