import { offset, OFFSET_MAX, operations, pathId, plainText, type RecentUnlock } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import { z } from 'zod';
import { html, type Html } from '../../html.ts';
import { apiPath, links } from '../../links.ts';
import { definePage, mediaTypes, type PageData } from '../../page.ts';
import { achievementPicture } from '../../parts/achievement-picture.ts';
import { formatRarity, type Achievement, type Catalogue } from '../../parts/achievement-table.ts';
import { gameBackdrop } from '../../parts/game-card.ts';
import { pager } from '../../parts/pager.ts';
import { figures, part, section } from '../../parts/part.ts';
import { table } from '../../parts/table.ts';
import { formatCount, gameLink, name, playerLink, time } from '../../parts/text.ts';
import { unlockCurve } from './unlock-curve.ts';

const { listAchievements, listRecentUnlocks } = operations;

const PAGE_SIZE = 50;

/** One achievement: how rare it is, and who has it. */
export const achievement = definePage({
  id: 'getAchievementPage',
  path: '/achievement/:achievementId',
  params: z.object({ achievementId: pathId }),
  query: z.object({ offset }),
  style: 'achievements',
  asks: [listAchievements, listRecentUnlocks],
  view: async ({ params: { achievementId }, query: { offset: from } }, data) => {
    const asked = { achievement: achievementId, limit: PAGE_SIZE, offset: from };
    const all = await data.ask(listAchievements);
    const known = all.achievements.find(({ id }) => id === achievementId);
    if (known === undefined) throw new AppError('not-found', 'Unknown achievement');
    const [found, curve] = await Promise.all([
      data.askPart(listRecentUnlocks, {}, asked),
      unlockCurve(achievementId, known.unlockedBy, data),
    ]);
    const path = links.achievement(achievementId);
    const pathOf = (to: number) => (to === 0 ? path : `${path}?offset=${to}`);
    return {
      title: plainText`${known.name} · ${known.category}`,
      description: plainText`${known.description} How rare the achievement ${known.name} is, and who unlocked it last.`,
      path: pathOf(from),
      topics: ['unlocks'],
      alternates: [
        { type: mediaTypes.json, href: apiPath(listRecentUnlocks.path, {}, asked), title: 'Unlocks as JSON' },
      ],
      content: html`${head(known, all, data)} ${numbers(known, all)}
      ${curve !== '' && section('curve', 'Unlocks over time', curve)}
      ${section(
        'unlocks',
        'Unlocked by, newest first',
        part(
          found,
          ({ recent, total = recent.length }) =>
            html`<div data-island="friends" data-friends="unlocks" data-achievement="${achievementId}"></div>
              ${unlockTable(recent, from)}
              ${pager({ total, limit: PAGE_SIZE, offset: from, href: pathOf, label: 'unlocks', offsetMax: OFFSET_MAX })}`,
        ),
      )}`,
    };
  },
});

function unlockTable(rows: readonly RecentUnlock[], from: number): Html {
  return table({
    ...{ id: 'unlock', rows, key: ({ username }: RecentUnlock) => username },
    caption: 'Players with this achievement, newest first',
    empty: from === 0 ? 'Nobody has it yet' : 'There are no unlocks on this page',
    isStacked: true,
    columns: [
      { heading: 'Player', isHead: true, cell: ({ username }) => playerLink(username) },
      { heading: 'Unlocked', cell: ({ unlockedAt }) => time(unlockedAt) },
    ],
  });
}

function head(known: Achievement, { groups }: Catalogue, data: PageData): Html {
  const { description, groupId, category, is_hidden } = known;
  const titleId = groups.find((group) => group.groupId === groupId)?.titleId ?? null;
  const isKnown = titleId !== null && data.titles.known(titleId) !== undefined;
  return html`<div class="banner hero">
    ${isKnown && gameBackdrop(titleId)} ${achievementPicture(data.titles, known, titleId)}
    <div>
      <h1 id="heading">${name(known.name)}</h1>
      <p class="lead">
        ${name(description)} ${is_hidden && html`<span class="tag">hidden</span>`} ·
        <a href="${links.achievements({ group: groupId })}">${name(category)}</a>
        ${isKnown && html` · game: ${gameLink(data.titles, titleId)}`}
      </p>
    </div>
  </div>`;
}

function numbers(known: Achievement, { achievements, stats }: Catalogue): Html {
  const rarer = achievements.filter(({ unlockedBy }) => unlockedBy < known.unlockedBy).length;
  return figures([
    { name: 'Points', value: formatCount(known.points) },
    {
      name: 'Unlocked by',
      value: formatCount(known.unlockedBy),
      aside: `of ${formatCount(stats.playersWithAchievements)} players with achievements`,
    },
    { name: 'Rarity', value: formatRarity(known, stats) },
    { name: 'Rarer achievements', value: formatCount(rarer), aside: `of ${formatCount(achievements.length)}` },
  ]);
}
