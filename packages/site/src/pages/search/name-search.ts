import { isValidUsername, nameKey, operations, raceTime, type OperationResponse } from '@lobbystats/contracts';
import { maximumOf } from '../../bounds.ts';
import { html, type Html } from '../../html.ts';
import { apiPath, links } from '../../links.ts';
import { mediaTypes, type PageData } from '../../page.ts';
import { findForm } from '../../parts/find-form.ts';
import { achievementPicture } from '../../parts/achievement-picture.ts';
import { gamePicture } from '../../parts/game-card.ts';
import { empty, section, UNAVAILABLE } from '../../parts/part.ts';
import { portrait } from '../../parts/person.ts';
import { achievementLink, plural, type Titles, boardLink, gameLink, name } from '../../parts/text.ts';
import { foundNames, isEmpty, type FoundNames, identityOf, type FoundName } from './found-names.ts';
import { outcomeOf } from './input-fault.ts';
import type { SearchQuery, SearchView } from './search-query.ts';
import { list } from '../../parts/list.ts';

const { suggestNames, listGames, getPlayer, getProfile, listAchievements } = operations;

/** As many as there can be: they are of three types. */
const SUGGESTED = maximumOf(suggestNames.query.shape.limit);
const GAMES = 20;

/** Players, games and leaderboards by name: an exact match first. */
export async function nameSearch({ q = '' }: SearchQuery, data: PageData): Promise<SearchView> {
  const text = q.trim();
  const form = findForm({ id: 'q', value: q });
  if (text === '') return { content: html`${form}${INTRODUCTION}` };
  const [{ response: suggested, fault }, games, player, profile, catalogue] = await Promise.all([
    outcomeOf(data.askPart(suggestNames, {}, { q: text, limit: SUGGESTED }), (parameter) => parameter),
    outcomeOf(data.askPart(listGames, {}, { q: text, limit: GAMES }), (parameter) => parameter),
    getPlayer.params.safeParse({ player: text }).success ? data.find(getPlayer, { player: text }, { limit: 1 }) : null,
    isValidUsername(text) ? data.find(getProfile, { username: text }) : null,
    data.askPart(listAchievements),
  ]);
  if (fault !== undefined) {
    return {
      content: html`${form}
        <p class="trouble" role="alert">${fault.message}</p>`,
    };
  }
  const isComplete = suggested !== undefined && games.response !== undefined;
  const found = foundNames({
    ...{
      text,
      suggestions: suggested?.suggestions ?? [],
      games: games.response?.games ?? [],
      player,
      profile,
      catalogue,
    },
    titleOf: (titleId) => data.titles.known(titleId),
  });
  const results =
    isComplete || !isEmpty(found)
      ? html`${suggested?.approximate === true && nearNote(text)}${resultSections(found, text, isComplete ? games.response : undefined, data.titles)}
        ${suggested?.count === SUGGESTED && CUT}`
      : UNAVAILABLE;
  return {
    content: html`${form}${otherForms(text)}${results}`,
    alternates: [
      {
        ...{ type: mediaTypes.json, title: 'Names as JSON' },
        href: apiPath(suggestNames.path, {}, { q: text, limit: SUGGESTED }),
      },
    ],
  };
}

const INTRODUCTION = html`<p class="lead">
  A search finds names with words that begin with the text, or with three letters of it inside a word: “wren” finds
  LimeWren617. Case and accents make no difference.
</p>`;

function nearNote(text: string): Html {
  return html`<p class="note">
    No player, game, leaderboard or achievement has “<bdi>${text}</bdi>” in its name. Did you mean one of these?
  </p>`;
}

const CUT = html`<p class="hint">More names match: these are the best. Type more to find fewer.</p>`;

/** @param games undefined while a part is unavailable */
function resultSections(
  found: FoundNames,
  text: string,
  games: OperationResponse<typeof listGames> | undefined,
  titles: Titles,
): Html {
  const { exact, players, games: byName, leaderboards, achievements } = found;
  const missing = games === undefined ? UNAVAILABLE : '';
  if (isEmpty(found)) {
    return empty(`No player, game, leaderboard or achievement has “${text}” in its name. Fewer letters may find some.`);
  }
  const allGames =
    games?.hasMore === true
      ? html`<a href="${links.games({ q: text })}">All ${plural(games.total, 'game')}</a>`
      : undefined;
  return html`${missing} ${exact.length > 0 && section('exact', 'Exact match', nameList(titles, exact))}
  ${players.length > 0 && section('players', 'Players', nameList(titles, players))}
  ${byName.length > 0 && section('games', 'Games', nameList(titles, byName), allGames)}
  ${leaderboards.length > 0 && section('leaderboards', 'Leaderboards', nameList(titles, leaderboards))}
  ${achievements.length > 0 && section('achievements', 'Achievements', nameList(titles, achievements))}`;
}

/** A text that looks like the input of another form. */
function otherForms(text: string): Html | '' {
  if (raceTime.safeParse(text).success) {
    const href = links.search({ by: 'time', time: text });
    return html`<p>
      <a href="${href}">Entries with the time <bdi>${text}</bdi></a>
    </p>`;
  }
  const names = text.split(',').filter((name) => nameKey(name) !== '');
  if (names.length < 2) return '';
  return html`<p>
    <a href="${links.search({ by: 'players', names: text })}">Entries of ${plural(names.length, 'player')}</a>
  </p>`;
}

/** Names with links, and what tells apart those that are equal. */
function nameList(titles: Titles, names: readonly FoundName[]): Html {
  return list({
    id: 'name',
    rows: names,
    key: identityOf,
    empty: '',
    className: 'list names records',
    item: (found) => item(titles, found),
  });
}

function item(titles: Titles, found: FoundName): Html {
  return html`${picture(titles, found)}
    <div>${content(titles, found)}</div>`;
}

/** Decoration: what is found stands beside it. */
function picture(titles: Titles, found: FoundName): Html | '' {
  if (found.type === 'player') return portrait(found.name, null, PICTURE_SIZE);
  if (found.type === 'achievement') return achievementPicture(titles, found, found.titleId);
  return titles.known(found.titleId) === undefined ? '' : gamePicture(found.titleId, PICTURE_SIZE);
}

const PICTURE_SIZE = 40;

function content(titles: Titles, found: FoundName): Html {
  switch (found.type) {
    case 'player':
      return html`<a href="${links.player(found.name)}">${name(found.name)}</a
        ><span class="hint">${playerFacts(found)}</span>`;
    case 'game':
      return html`${gameLink(titles, found.titleId, found.name, false)}
        <span class="hint"
          >game${found.publisher !== '' && html` of ${name(found.publisher)}`} · ${found.titleId}</span
        >`;
    case 'leaderboard':
      return html`${boardLink(titles, { ...found, leaderboardName: found.name })}
        <span class="hint"
          >${gameLink(titles, found.titleId, found.gameName, false)} ·
          ${plural(found.entries, 'entry', 'entries')}</span
        >`;
    case 'achievement':
      return html`${achievementLink(found.id, found.name)}
        <span class="hint">achievement of ${name(found.category)} · ${plural(found.points, 'point')}</span>`;
  }
}

function playerFacts({ leaderboards, account }: Extract<FoundName, { type: 'player' }>): Html {
  return html`player${leaderboards !== undefined && ` on ${plural(leaderboards, 'leaderboard')}`}${
    account !== undefined && account !== null && html` · account ${name(account)}`
  }`;
}
