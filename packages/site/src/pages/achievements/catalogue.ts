import { plainText } from '@lobbystats/contracts';
import { html, type Html } from '../../html.ts';
import type { PageData } from '../../page.ts';
import { moreLink } from '../../parts/more.ts';
import { empty } from '../../parts/part.ts';
import { achievementTable, type Achievement, type Catalogue } from '../../parts/achievement-table.ts';
import type { Column, Sort } from '../../parts/table.ts';
import { gameLink, name, plural } from '../../parts/text.ts';

type Group = Catalogue['groups'][number];

/** `group`: as the catalogue lists them, by group. */
export const catalogueSorts = ['group', 'rarity', 'points', 'name'] as const;
export type CatalogueSort = (typeof catalogueSorts)[number];
export const sortOrders = ['ascending', 'descending'] as const;
export type SortOrder = (typeof sortOrders)[number];

/** Rare ones and many points first. */
export const FIRST_ORDER = {
  group: 'ascending',
  rarity: 'ascending',
  points: 'descending',
  name: 'ascending',
} as const satisfies Record<CatalogueSort, SortOrder>;

export interface CatalogueView {
  readonly sort: CatalogueSort;
  readonly order: SortOrder;
  readonly groupId: string | undefined;
  readonly hrefOf: (filter: { group?: string; sort?: CatalogueSort; order?: SortOrder }) => string;
}

/** Achievements with their rarity: by group, or all of them in another order. */
export function catalogue(all: Catalogue, view: CatalogueView, data: PageData): Html {
  const groups = all.groups.filter(({ groupId }) => view.groupId === undefined || groupId === view.groupId);
  if (view.sort === 'group') {
    if (groups.length === 0) return empty('No achievements yet');
    const sections = groups.map((group) => groupSection(all, group, view, data));
    return groups.length === 1 ? html`${sections}` : html`<div class="groups">${sections}</div>`;
  }
  const shown = all.achievements.filter(({ groupId }) => view.groupId === undefined || groupId === view.groupId);
  const { sort, order } = view;
  const rows = shown.toSorted((a, b) => compare[sort](a, b) * (order === 'ascending' ? 1 : -1));
  return achievementTable(data.titles, all, {
    rows,
    caption: 'Achievements',
    empty: 'No achievements yet',
    more: [groupColumn(view)],
    sort: sortOf(view),
  });
}

/** Achievements of a group that are shown beside other groups. */
const OF_GROUP = 3;

function groupSection(all: Catalogue, group: Group, { hrefOf, groupId }: CatalogueView, data: PageData): Html {
  const { titleId, displayName } = group;
  const text = name(displayName);
  const rows = all.achievements.filter((achievement) => achievement.groupId === group.groupId);
  const shown = groupId === undefined ? OF_GROUP : rows.length;
  const isKnown = titleId !== null && data.titles.known(titleId) !== undefined;
  return html`<div class="group" id="group-${group.groupId}">
    <div class="head">
      <h3>${groupId === undefined ? html`<a href="${hrefOf({ group: group.groupId })}">${text}</a>` : text}</h3>
      <p>
        ${plural(group.totalCount, 'achievement')} · ${plural(group.totalPoints, 'point')}
        ${isKnown && html` · game: ${gameLink(data.titles, titleId)}`}
      </p>
    </div>
    ${achievementTable(data.titles, all, {
      id: `achievement-of-${group.groupId}`,
      caption: plainText`Achievements: ${displayName}`,
      empty: 'No achievements in this group',
      rows: rows.slice(0, shown),
    })}
    ${moreLink(rows.length, shown, hrefOf({ group: group.groupId }), `All ${rows.length} of this group`)}
  </div>`;
}

function groupColumn({ hrefOf }: CatalogueView): Column<Achievement> {
  return {
    heading: 'Group',
    isMinor: true,
    cell: ({ groupId, category }) => html`<a href="${hrefOf({ group: groupId })}">${name(category)}</a>`,
  };
}

type Compare = (a: Achievement, b: Achievement) => number;
const byName: Compare = (a, b) => a.name.localeCompare(b.name, 'en');
const compare: Record<Exclude<CatalogueSort, 'group'>, Compare> = {
  rarity: (a, b) => a.unlockedBy - b.unlockedBy,
  points: (a, b) => a.points - b.points,
  name: byName,
};

function sortOf({ sort, order, hrefOf }: CatalogueView): Sort {
  return {
    by: sort,
    order,
    href: (by) => {
      const column = catalogueSorts.find((one) => one === by) ?? 'group';
      if (column !== sort) return hrefOf({ sort: column, order: FIRST_ORDER[column] });
      return hrefOf({ sort: column, order: order === 'ascending' ? 'descending' : 'ascending' });
    },
  };
}
