import { operations } from '@lobbystats/contracts';
import { playTimeText } from '../../dates.ts';
import { html, type Html } from '../../html.ts';
import type { PageData } from '../../page.ts';
import type { FoundPlayer, User } from '../../parts/find-player.ts';
import { empty, part, section } from '../../parts/part.ts';
import { playDaysPlot } from '../../parts/play-days.ts';
import { gameLink, name, plural, type Titles } from '../../parts/text.ts';
import { namesOf } from './totals.ts';
import { aheadOf, versusTable, type Pair } from './versus.ts';

const { listPlayDays } = operations;

/** Operations that {@link gamesSection} asks. */
export const gamesOperations = [listPlayDays] as const;

const SHOWN = 15;
const ALONE_SHOWN = 5;

type Minutes = ReadonlyMap<string, number>;

/** Play time by day, and by common game. */
export async function gamesSection(players: Pair<FoundPlayer>, users: Pair<User>, data: PageData): Promise<Html> {
  const days = await Promise.all(users.map(({ username }) => data.find(listPlayDays, { username })));
  const names = namesOf(players);
  const minutes = users.map(minutesOf) as [Minutes, Minutes];
  const shared = [...minutes[0].keys()]
    .filter((titleId) => minutes[1].has(titleId))
    .map((titleId): readonly [string, Pair<number>] => [
      titleId,
      [minutes[0].get(titleId) ?? 0, minutes[1].get(titleId) ?? 0],
    ])
    .sort(([, one], [, other]) => other[0] + other[1] - one[0] - one[1]);
  const [a, b] = days;
  const known = a && b ? ([a.days, b.days] as const) : undefined;
  return section(
    'common-games',
    'Games',
    html`${part(known, (both) =>
        both.every(({ length }) => length === 0)
          ? empty('Neither has played in the last 30 days')
          : playDaysPlot(
              names.map((label, index) => ({ label, days: both[index] ?? [] })),
              data.now,
            ),
      )}
      ${
        shared.length > 0 &&
        versusTable({
          ...{ id: 'game', caption: 'Play time in common games', heading: 'Game', names },
          rows: shared.slice(0, SHOWN).map(([titleId, both]) => ({
            key: titleId,
            head: gameLink(data.titles, titleId),
            cells: [playTimeText(both[0]), playTimeText(both[1])],
            ahead: aheadOf(both),
            sizes: both,
          })),
        })
      }
      <p class="hint">
        ${aloneText(names[0], minutes[0], minutes[1], data.titles)}
        ${aloneText(names[1], minutes[1], minutes[0], data.titles)}
      </p>`,
    plural(shared.length, 'game in common', 'games in common'),
  );
}

function minutesOf({ playTime: { byTitle } }: User): Minutes {
  return new Map(byTitle.filter(({ minutes }) => minutes > 0).map(({ titleId, minutes }) => [titleId, minutes]));
}

/** `Ember Fox alone plays Chess, Old Pier and 3 other games.` */
function aloneText(player: string, own: Minutes, others: Minutes, titles: Titles): Html | '' {
  const alone = [...own].filter(([titleId]) => !others.has(titleId)).sort(([, one], [, other]) => other - one);
  if (alone.length === 0) return '';
  const rest = alone.length - ALONE_SHOWN;
  return html`${name(player)} alone plays
  ${alone
    .slice(0, ALONE_SHOWN)
    .map(
      ([titleId], index) => html`${index > 0 && ', '}${gameLink(titles, titleId)}`,
    )}${rest > 0 && ` and ${plural(rest, 'other game')}`}.`;
}
