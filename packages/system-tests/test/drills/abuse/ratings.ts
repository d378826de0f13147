import { operations } from '@lobbystats/contracts';
import { eventually } from '@lobbystats/test-kit';
import { expect } from 'expect';
import { pathTo, type Reputation } from '../../standalone/sign-in.ts';
import type { SharedDrill } from '../drill.ts';
import type { Stage } from '../stages/stage.ts';

const CONCURRENT_RATINGS = 200;

/** Fetches a reputation, with retries while it is unavailable. */
async function fetchReputation(stage: Stage, username: string): Promise<Reputation> {
  return eventually(
    async () => {
      const answer = await stage.request(`${pathTo(operations.getReputation.path, username)}?feedbackLimit=30`);
      expect(answer.status).toBe(200);
      return answer.body as Reputation;
    },
    { timeoutMs: 10_000, everyMs: 100 },
  );
}

export const parallelRatings: SharedDrill = {
  number: 28,
  name: '200 ratings of one pair at once',
  on: 'either',
  isShort: true,
  run: async (stage) => {
    const [rater, rated] = stage.users;
    const answers = await Promise.all(
      Array.from({ length: CONCURRENT_RATINGS }, (_, index) => rater.rate(rated.username, { stars: 1 + (index % 5) })),
    );
    const counts = Object.entries(Object.groupBy(answers, ({ status }) => String(status)));
    const refused = answers.filter(({ status }) => status !== 200 && status !== 503);
    expect(refused.map(({ status }) => status)).toEqual([]);
    const { average, ratingCount, feedback } = await fetchReputation(stage, rated.username);
    expect(feedback.filter(({ raterUsername }) => raterUsername === rater.username)).toHaveLength(1);
    expect(ratingCount).toBe(feedback.length);
    const sum = feedback.reduce((total, { stars }) => total + stars, 50);
    expect(average).toBe(Math.round((100 * sum) / (10 + ratingCount)) / 100);
    return [
      `${counts.map(([status, all]) => `${all?.length ?? 0} times ${status}`).join(', ')}; one row of theirs; average ${average} of ${ratingCount} ratings, as recomputed`,
    ];
  },
};

export const selfRating: SharedDrill = {
  number: 29,
  name: 'a rating of oneself under other spellings',
  on: 'either',
  isShort: true,
  run: async (stage) => {
    const [user] = stage.users;
    const { username } = user;
    const before = await fetchReputation(stage, username);
    const fullWidth = username.replace(/[!-~]/g, (sign) => String.fromCodePoint((sign.codePointAt(0) ?? 0) + 0xfee0));
    const spellings = [
      ...[username, username.toUpperCase(), username.toLowerCase(), ` ${username} `, `${username}  `, `\t${username}`],
      username.replaceAll(' ', '   '),
      fullWidth,
      username.replace(/[aeo]/i, (sign) => ({ a: 'а', e: 'е', o: 'о' })[sign.toLowerCase()] ?? sign),
      `${username}\u200b`,
      `${username}\ufeff`,
      username.replace(/[a-z]/i, '$&́'),
      `\u202e${username}`,
    ];
    const wrong: string[] = [];
    for (const spelling of spellings) {
      const { status } = await user.rate(spelling, { stars: 5 });
      if (status !== 400) wrong.push(`${JSON.stringify(spelling)}: ${status}`);
    }
    expect(wrong).toEqual([]);
    expect(await fetchReputation(stage, username)).toEqual(before);
    return [
      `${spellings.length} spellings of ${username} (case, spaces, full width, look-alikes, invisible signs): 400 each; nothing was rated`,
    ];
  },
};
