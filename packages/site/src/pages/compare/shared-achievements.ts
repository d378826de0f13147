import { operations, type UserAchievement } from '@lobbystats/contracts';
import { html, type Html } from '../../html.ts';
import type { PageData } from '../../page.ts';
import { achievementPicture } from '../../parts/achievement-picture.ts';
import { formatRarity, type Catalogue } from '../../parts/achievement-table.ts';
import type { FoundPlayer, User } from '../../parts/find-player.ts';
import { list } from '../../parts/list.ts';
import { part, section } from '../../parts/part.ts';
import { achievementLink, name, plural, type Titles } from '../../parts/text.ts';
import { namesOf } from './totals.ts';
import type { Pair } from './versus.ts';

const { getUserAchievements, listAchievements } = operations;

/** Operations that {@link achievementsSection} asks. */
export const achievementsOperations = [getUserAchievements, listAchievements] as const;

const SHOWN = 6;

/** The achievements of one player alone, and of both, the rarest first. */
export async function achievementsSection(
  players: Pair<FoundPlayer>,
  users: Pair<User>,
  data: PageData,
): Promise<Html> {
  const [catalogue, a, b] = await Promise.all([
    data.askPart(listAchievements),
    ...users.map(({ username }) => data.find(getUserAchievements, { username })),
  ] as const);
  const known = a && b && catalogue ? { all: [a.achievements, b.achievements] as const, catalogue } : undefined;
  return section(
    'achievements',
    'Achievements',
    part(known, ({ all, catalogue: listed }) => {
      const ids = all.map((own) => new Set(own.map(({ id }) => id)));
      const [first, second] = all;
      const names = namesOf(players);
      const groups = [
        { id: 'first', heading: html`Only ${name(names[0])}`, rows: first.filter(({ id }) => !ids[1]?.has(id)) },
        { id: 'both', heading: 'Both', rows: first.filter(({ id }) => ids[1]?.has(id)) },
        { id: 'second', heading: html`Only ${name(names[1])}`, rows: second.filter(({ id }) => !ids[0]?.has(id)) },
      ];
      return html`<div class="thirds">
        ${groups.map(
          ({ id, heading, rows }) =>
            html`<div>
              <h3>${heading} <span class="hint">${rows.length}</span></h3>
              ${rarestFirst(id, rows, listed, data.titles)}
            </div>`,
        )}
      </div>`;
    }),
  );
}

function rarestFirst(id: string, rows: readonly UserAchievement[], catalogue: Catalogue, titles: Titles): Html {
  const listed = new Map(catalogue.achievements.map((one) => [one.id, one]));
  const titleIds = new Map(catalogue.groups.map(({ groupId, titleId }) => [groupId, titleId]));
  const unlockedBy = (row: UserAchievement) => listed.get(row.id)?.unlockedBy ?? 0;
  const item = (row: UserAchievement) => {
    const known = listed.get(row.id);
    return html`${achievementPicture(titles, row, titleIds.get(known?.groupId ?? '') ?? row.game_title_id)}
      <div>
        <p>${achievementLink(row.id, row.name)}</p>
        <p class="hint">
          ${plural(row.points, 'point')}${known && ` · ${formatRarity(known, catalogue.stats)} of players have it`}
        </p>
      </div>`;
  };
  const sorted = rows.toSorted((one, other) => unlockedBy(one) - unlockedBy(other));
  const listOf = (part: readonly UserAchievement[], name: string) =>
    list({ id: name, rows: part, key: (row) => row.id, item, empty: 'None', className: 'list records' });
  const rest = sorted.slice(SHOWN);
  return html`${listOf(sorted.slice(0, SHOWN), `badge-of-${id}`)}
  ${
    rest.length > 0 &&
    html`<details id="more-of-${id}">
      <summary>${plural(rest.length, 'more', 'more')}</summary>
      ${listOf(rest, `more-badge-of-${id}`)}
    </details>`
  }`;
}
