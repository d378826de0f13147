import { operations, type UserAchievement } from '@lobbystats/contracts';
import { route, type Route } from '@lobbystats/service-kit';
import type { Achievements } from './achievements.ts';
import type { UserAchievementsBody } from './user-achievements-view.ts';

export function achievementRoutes(achievements: Achievements): Route[] {
  const jsonOf = userAchievementsJson();
  return [
    route(operations.getUserAchievements, async ({ params }) => {
      const reply = await achievements.ofUser(params.username);
      return { ...reply, json: jsonOf(reply.body) };
    }),
    route(operations.listAchievements, () => achievements.catalog()),
    route(operations.getAchievementLeaderboard, ({ query }) => achievements.leaderboard(query.limit, query)),
    route(operations.listRecentUnlocks, ({ query }) => achievements.recent(query)),
  ];
}

/** Serialises achievements quickly: the JSON of unearned ones is the same for everyone and made once. */
function userAchievementsJson(): (body: UserAchievementsBody) => Buffer {
  const locked = new WeakMap<UserAchievement, Buffer>();
  return ({ score, achievements, groups }) => {
    const earned = new Map<UserAchievement, Buffer>();
    const pieces: Buffer[] = [];
    const write = (text: string) => pieces.push(Buffer.from(text));
    const writeAll = (all: readonly UserAchievement[]) => {
      for (const [index, one] of all.entries()) {
        if (index > 0) pieces.push(COMMA);
        const known = one.earned ? earned : locked;
        const text = known.get(one) ?? Buffer.from(JSON.stringify(one));
        known.set(one, text);
        pieces.push(text);
      }
    };
    write(`{"score":${score},"achievements":[`);
    writeAll(achievements);
    let before = '],"groups":[';
    for (const { achievements: inGroup, ...group } of groups) {
      write(`${before}${JSON.stringify(group).slice(0, -1)},"achievements":[`);
      writeAll(inGroup);
      before = ']},';
    }
    write(groups.length === 0 ? `${before}]}` : ']}]}');
    return Buffer.concat(pieces);
  };
}

const COMMA = Buffer.from(',');
