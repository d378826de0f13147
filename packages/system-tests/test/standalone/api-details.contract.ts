import { gamePathsOf, operations, pathsOf, type OperationResponse } from '@lobbystats/contracts';
import type { Account } from '@lobbystats/simulator';
import { eventually, getJson } from '@lobbystats/test-kit';
import { signIn, pathTo, type SystemUrls } from './sign-in.ts';

const { getMatchHistory, getTitleOnlineHistory, listChanges, listGames, searchByPlayers, searchByRanks } = operations;
const { getLeaderboard, getGame, getEvent, getProfile, listEvents, listLeaderboards, searchByTime } = operations;
const { getOnlineUsers, listRecentUnlocks } = operations;

type Game = OperationResponse<typeof getGame>;
type Board = OperationResponse<typeof getLeaderboard>;

/** More than the default page size of other operations. */
const MANY_MATCHES = 500;
const DISCORD_PROFILE = 'https://discord.com/users/90000000000000001';
/** The backfill may still be running. */
const BACKFILL_WAIT = { timeoutMs: 120_000, everyMs: 500 };

/**
 * Contract tests of the public API for both the standalone and the distributed system, with a simulated past.
 *
 * @param urls the URLs, available after the `beforeAll` of the suite
 */
export function describeApiDetails(form: string, urls: () => SystemUrls): void {
  const get = async <Body>(path: string) => (await getJson<Body>(urls().url + path)).body;
  const expectSame = (...paths: string[]) =>
    eventually(async () => {
      const [first, ...others] = await Promise.all(paths.map((path) => get(path)));
      for (const other of others) expect(other).toEqual(first);
    }, BACKFILL_WAIT);
  const searchRank = async (playerName: string, rank: string | number) => {
    const body = JSON.stringify({ players: [{ playerName, rank }] });
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
    return (await getJson<OperationResponse<typeof searchByRanks>>(urls().url + searchByRanks.path, init)).body.results;
  };

  describe(`API of ${form}`, () => {
    let games: Game[];
    let boardPath: string;
    let board: Board;
    const findBoard = async () => {
      ({ games } = await get<OperationResponse<typeof listGames>>(listGames.path));
      for (const { titleId } of games) {
        const [first] = await get<{ id: number }[]>(listLeaderboards.path.replace(':titleId', titleId));
        if (first === undefined) continue;
        boardPath = getLeaderboard.path.replace(':titleId', titleId).replace(':leaderboardId', String(first.id));
        board = await get(boardPath);
        if (board.entries.length > 1) return;
      }
      throw new Error('no leaderboard has entries yet');
    };
    beforeAll(() => eventually(findBoard, BACKFILL_WAIT), 180_000);

    it('resolves a game by name before title ID', async () => {
      const ids = new Set(games.map(({ titleId }) => titleId));
      const posing = games.filter(({ name }) => ids.has(name));
      const posed = games.filter(({ titleId }) => posing.some(({ name }) => name === titleId));
      expect([posing.length, posed.length]).toEqual([1, 1]);
      for (const { name, titleId } of [...posing, ...posed]) {
        for (const path of [getGame, getMatchHistory, getTitleOnlineHistory].flatMap(gamePathsOf)) {
          const named = path.replace(':game', encodeURIComponent(name));
          expect([named, await get(named)]).toEqual([named, expect.objectContaining({ titleId })]);
        }
        const filtered = `${listChanges.path}?game=${encodeURIComponent(name)}`;
        const { changes } = await get<OperationResponse<typeof listChanges>>(filtered);
        expect(changes.filter((change) => change.titleId !== titleId)).toEqual([]);
      }
    });

    it('returns all matches of the requested hours without a limit', async () => {
      const online = Object.values(await get<OperationResponse<typeof getOnlineUsers>>(getOnlineUsers.path));
      const busy = online.toSorted((a, b) => b.activeLobbies - a.activeLobbies).slice(0, 10);
      const paths = busy.map(({ titleId }) => `${getMatchHistory.path.replace(':titleId', titleId)}?hours=720`);
      const historyAt = (path: string) => get<OperationResponse<typeof getMatchHistory>>(path);
      await eventually(async () => {
        const firsts = await Promise.all(paths.map((path) => historyAt(`${path}&limit=1`)));
        const most = firsts.reduce((best, { total }, index) => (total > (firsts[best]?.total ?? 0) ? index : best), 0);
        const { total, matches } = await historyAt(String(paths[most]));
        expect(total).toBeGreaterThan(MANY_MATCHES);
        expect(matches).toHaveLength(total);
      }, BACKFILL_WAIT);
    });

    it('sends a max-age on what changes with a slot, and has the rest revalidated', async () => {
      const cacheControl = async (path: string) => (await getJson(urls().url + path)).headers.get('cache-control');
      for (const path of [listGames.path, getOnlineUsers.path]) {
        expect(await cacheControl(path)).toMatch(/^public, max-age=\d+$/);
      }
      for (const path of [listChanges.path, boardPath, listRecentUnlocks.path]) {
        expect(await cacheControl(path)).toBe('public, max-age=0, must-revalidate');
      }
    });

    it('returns the online history of a game at each of its paths', async () => {
      const [{ titleId, name } = { titleId: '', name: '' }] = games;
      const whole = (path: string) => path.replace(':titleId', titleId).replace(':game', encodeURIComponent(name));
      const paths = pathsOf(getTitleOnlineHistory).map(whole);
      expect(paths).toContain(whole('/api/game/:game/online-users/history'));
      await expectSame(...paths);
    });

    it('accepts a rank as text and ignores empty names and filters', async () => {
      const [{ name, rank } = { name: '', rank: '' }] = board.entries;
      const found = await searchRank(name, rank);
      expect(found.length).toBeGreaterThan(0);
      expect(await searchRank(name, Number(rank))).toEqual(found);
      const names = `${searchByPlayers.path}?names=${encodeURIComponent(name.replaceAll(',', ''))}`;
      const times = `${searchByTime.path}?time=1:00&tolerance=60000`;
      await expectSame(names, `${names},%20,`, `${names}&titleId=`);
      await expectSame(times, `${times}&titleId=`);
      await expectSame(listChanges.path, `${listChanges.path}?game=`);
    });

    it('returns the read time of a leaderboard, and each event by ID', async () => {
      expect(board.observed_at).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
      await eventually(async () => {
        const [event] = await get<OperationResponse<typeof listEvents>>(listEvents.path);
        expect(await get(getEvent.path.replace(':eventId', String(event?.id)))).toEqual(event);
      }, BACKFILL_WAIT);
    });

    it('creates a profile on the first update, and clears Discord fields with the Discord profile', async () => {
      const accounts = (await getJson<Account[]>(`${urls().networkUrl}/simulator/accounts`)).body;
      const [unseen] = accounts.filter(({ username }) => username === 'Never Online');
      const user = await signIn(urls(), unseen!);
      const changed = async (fields: object) => {
        await eventually(async () => expect(await user.update(fields)).toMatchObject({ status: 200 }), BACKFILL_WAIT);
        return (await get<OperationResponse<typeof getProfile>>(pathTo(getProfile.path, user.username))).profile;
      };
      expect(await changed({})).toMatchObject({ social_links: [] });
      const links = (host: string) => [{ platform: 'twitch', url: `https://${host}/lobby`, label: null }];
      const linked = { discord_profile_url: DISCORD_PROFILE, social_links: links('www.twitch.tv') };
      const synced = { ...linked, avatar_url: expect.stringMatching(/./) as string };
      expect(await changed({ ...linked, sync_avatar_from_discord: true })).toMatchObject(synced);
      expect((await user.update({ social_links: links('twitch.tv.example') })).status).toBe(400);
      const cleared = { discord_profile_url: '', social_links: [], avatar_url: '' };
      expect(await changed({ discord_profile_url: null })).toMatchObject(cleared);
    });

    it('links its documentation from the home page and distinguishes similar field names', async () => {
      const [home, document] = [await get<string>('/'), JSON.stringify(await get('/api/openapi.json'))];
      for (const path of ['/docs', '/api/openapi.json']) expect(home).toContain(`href="${path}"`);
      for (const phrase of ['open at once', 'began on that UTC day', 'this one match', '0 = unknown']) {
        expect(document).toContain(phrase);
      }
    });
  });
}
