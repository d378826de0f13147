import type { Discord } from '../src/profiles/discord.ts';
import { limitLookUps } from '../src/profiles/limited-discord.ts';

const HOUR_MS = 3_600_000;
const FOUND = { avatarUrl: null };
const LIMITED = { code: 'lookup-failed', message: 'Too many look-ups in Discord, try again later' };

function setUp(known: (id: string) => boolean = () => true) {
  const clock = { nowMs: 0 };
  const asked: string[] = [];
  const user: Discord['user'] = async (id) => {
    asked.push(id);
    return known(id) ? FOUND : undefined;
  };
  return { clock, asked, discord: limitLookUps({ user }, () => clock.nowMs) };
}

/** Looks up different IDs one after another, and returns how many were answered. */
async function lookUps({ discord }: ReturnType<typeof setUp>, count: number, userOf: (index: number) => string) {
  const ids = Array.from({ length: count }, (_, index) => String(index));
  const answers = await Promise.allSettled(ids.map((id, index) => discord.user(id, userOf(index))));
  for (const one of answers) if (one.status === 'rejected') expect(one.reason).toMatchObject(LIMITED);
  return answers.filter(({ status }) => status === 'fulfilled').length;
}

describe('look-ups in Discord', () => {
  it('are five an hour for one user, and nothing is sent above that', async () => {
    const stage = setUp();
    expect(await lookUps(stage, 50, () => 'ember')).toBe(5);
    expect(stage.asked).toHaveLength(5);
    stage.clock.nowMs += HOUR_MS / 5;
    expect(await lookUps(stage, 50, () => 'ember')).toBe(1);
    stage.clock.nowMs += 10 * HOUR_MS;
    expect(await lookUps(stage, 50, () => 'ember')).toBe(5);
  });

  it('are one a second for all users together, with ten at once', async () => {
    const stage = setUp();
    expect(await lookUps(stage, 500, (index) => `user ${index}`)).toBe(10);
    let answered = 0;
    for (let second = 0; second < 600; second += 1) {
      stage.clock.nowMs += 1000;
      answered += await lookUps(stage, 5, (index) => `user ${second} ${index}`);
    }
    expect(answered).toBeLessThanOrEqual(600);
    expect(answered).toBeGreaterThan(590);
  });

  it('do not repeat an ID that Discord does not know for ten minutes, for no user', async () => {
    const { discord, asked, clock } = setUp(() => false);
    for (const user of ['ember', 'wren', 'ember', 'marlow']) expect(await discord.user('1', user)).toBeUndefined();
    expect(asked).toEqual(['1']);
    clock.nowMs += 600_000;
    expect(await discord.user('1', 'wren')).toBeUndefined();
    expect(asked).toEqual(['1', '1']);
  });

  it('that fail count as well', async () => {
    const clock = { nowMs: 0 };
    let asked = 0;
    const failing: Discord['user'] = () => {
      asked += 1;
      return Promise.reject(new Error('down'));
    };
    const discord = limitLookUps({ user: failing }, () => clock.nowMs);
    for (let i = 0; i < 20; i += 1) await expect(discord.user(String(i), 'ember')).rejects.toThrow();
    expect(asked).toBe(5);
  });
});
