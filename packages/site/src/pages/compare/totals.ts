import { playTimeText } from '../../dates.ts';
import { html, type Html } from '../../html.ts';
import { links } from '../../links.ts';
import type { PageData } from '../../page.ts';
import type { FoundPlayer } from '../../parts/find-player.ts';
import { gameBackdrop } from '../../parts/game-card.ts';
import { isTracked, portrait, presence } from '../../parts/person.ts';
import { formatCount, gameLink, name, plural } from '../../parts/text.ts';
import type { CommonBoard } from './common-boards.ts';
import { aheadOf, versusBar, versusTable, type Pair } from './versus.ts';

/** A total of each player; undefined: it is not known. */
interface Total {
  readonly heading: string;
  /** In a sentence. */
  readonly noun: string;
  readonly values: Pair<number | undefined>;
  readonly format: (value: number) => string;
}

/** Both players side by side, who leads in what, and their totals. @param boards undefined: unavailable */
export function duel(players: Pair<FoundPlayer>, boards: readonly CommonBoard[] | undefined, data: PageData): Html {
  const names = namesOf(players);
  const wins: Pair<number> = [winsOf(boards ?? [], 0), winsOf(boards ?? [], 1)];
  const all = totalsOf(players);
  return html`<section id="players" aria-label="Both players">
    <div class="duel">
      ${person(players[0], 1, data)}
      ${
        boards === undefined || boards.length === 0
          ? html`<p class="score value">vs</p>`
          : html`<div class="score">
              <p class="value">${formatCount(wins[0])} : ${formatCount(wins[1])}</p>
              ${versusBar(wins)}
              <p class="hint">ahead on ${plural(boards.length, 'common leaderboard')}</p>
            </div>`
      }
      ${person(players[1], 2, data)}
    </div>
    <p id="verdict" class="lead">${boards && boardVerdict(boards, wins, names)} ${leadText(all, names)}</p>
    ${versusTable({
      ...{ id: 'total', caption: 'Totals', heading: 'Total', names },
      rows: all.map(({ heading, values, format }) => ({
        key: heading,
        head: heading,
        cells: [textOf(values[0], format), textOf(values[1], format)],
        ahead: aheadOf(values),
        sizes: [values[0] ?? 0, values[1] ?? 0],
      })),
    })}
  </section>`;
}

/** As their pages are headed. */
export function namesOf([a, b]: Pair<FoundPlayer>): Pair<string> {
  return [a.name, b.name];
}

/** A face over the colors of the game that the player plays most. */
export function person(player: FoundPlayer, series: 1 | 2, { titles }: PageData): Html {
  const { name: heading, user } = player;
  const [favourite] = (user?.playTime.byTitle ?? []).toSorted((a, b) => b.minutes - a.minutes);
  const isKnown = favourite !== undefined && titles.known(favourite.titleId) !== undefined;
  return html`<div class="banner series-${series}">
    ${isKnown && gameBackdrop(favourite.titleId)} ${portrait(heading, user?.profile.avatar_hue ?? null)}
    <h2><a href="${links.player(heading)}">${name(heading)}</a></h2>
    <p>${presence(user, titles)}</p>
    ${favourite && html`<p class="hint">Plays most: ${gameLink(titles, favourite.titleId)}</p>`}
  </div>`;
}

function winsOf(boards: readonly CommonBoard[], index: 0 | 1): number {
  return boards.filter(({ ahead }) => ahead === index).length;
}

function boardVerdict(boards: readonly CommonBoard[], [first, second]: Pair<number>, [a, b]: Pair<string>): Html {
  if (boards.length === 0) return html`${name(a)} and ${name(b)} have no leaderboard in common.`;
  const ties = boards.length - first - second;
  return html`Of ${plural(boards.length, 'common leaderboard')}, ${name(a)} is ahead on ${formatCount(first)} and
  ${name(b)} on ${formatCount(second)}${ties > 0 && `; equal ranks on ${formatCount(ties)}`}.`;
}

function totalsOf(players: Pair<FoundPlayer>): readonly Total[] {
  const of = (value: (player: FoundPlayer) => number | undefined): Pair<number | undefined> => [
    value(players[0]),
    value(players[1]),
  ];
  const count = (heading: string, noun: string, value: (player: FoundPlayer) => number | undefined): Total => ({
    ...{ heading, noun, values: of(value), format: formatCount },
  });
  const minutes = ({ user }: FoundPlayer) => (user && isTracked(user) ? user.playTime.totalMinutes : undefined);
  return [
    count('Records held', 'records', ({ scores }) => scores?.filter(({ rank }) => rank === 1).length),
    count('Top 10 places', 'top 10 places', ({ standing }) => standing?.top10Count),
    count('Leaderboards', 'leaderboards', ({ standing }) => standing?.leaderboardsOn),
    { heading: 'Play time', noun: 'play time', values: of(minutes), format: playTimeText },
    count('Achievement points', 'achievement points', ({ user }) => user?.achievementScore),
    count('Achievements', 'achievements', ({ user }) => user?.achievementCount),
    count('Matches hosted in 30 days', 'hosted matches', ({ host }) => host?.matchesHosted),
  ];
}

function textOf(value: number | undefined, format: (value: number) => string): string {
  return value === undefined ? '–' : format(value);
}

const lists = new Intl.ListFormat('en-GB');

/** `Ember Fox leads in records and play time, Host in achievement points.` */
function leadText(all: readonly Total[], names: Pair<string>): Html {
  const nounsOf = (index: 0 | 1) => all.filter(({ values }) => aheadOf(values) === index).map(({ noun }) => noun);
  const [first, second] = [nounsOf(0), nounsOf(1)];
  const [a, b] = names.map(name);
  if (first.length > 0 && second.length > 0)
    return html`${a} leads in ${lists.format(first)}; ${b} in ${lists.format(second)}.`;
  const leader = first.length > 0 ? a : b;
  const nouns = [...first, ...second];
  return nouns.length === 0 ? html`` : html`${leader} leads in ${lists.format(nouns)}.`;
}
