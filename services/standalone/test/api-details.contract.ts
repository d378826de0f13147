import { gamePathsOf, operations, pathsOf, type OperationAnswer } from '@lobbystats/contracts';
import type { Account } from '@lobbystats/simulator';
import { eventually, getJson } from '@lobbystats/test-kit';
import { logIn, pathTo, type Places } from './site-sessions.ts';

const { getMatchHistory, getTitleOnlineHistory, listChanges, listGames, searchByPlayers, searchByRanks } = operations;
const { getLeaderboard, getGame, getEvent, getProfile, listEvents, listLeaderboards, searchByTime } = operations;
const { getOnlineUsers } = operations;

type Game = OperationAnswer<typeof getGame>;
type Board = OperationAnswer<typeof getLeaderboard>;

/** More than a page that nobody gave a limit has elsewhere. */
const MANY_MATCHES = 500;
const DISCORD_PROFILE = 'https://discord.com/users/90000000000000001';
/** The past may still be coming in. */
const IN_TIME = { timeoutMs: 120_000, everyMs: 500 };

/**
 * Details of the public API that both forms of the product have alike, on a system with a simulated past.
 *
 * @param places known once the suite's own `beforeAll` is done
 */
export function describeApiDetails(form: string, places: () => Places): void {
  const get = async <Body>(path: string) => (await getJson<Body>(places().url + path)).body;
  const expectSame = (...paths: string[]) =>
    eventually(async () => {
      const [first, ...others] = await Promise.all(paths.map((path) => get(path)));
      for (const other of others) expect(other).toEqual(first);
    }, IN_TIME);
  const searchRank = async (playerName: string, rank: string | number) => {
    const body = JSON.stringify({ players: [{ playerName, rank }] });
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
    return (await getJson<OperationAnswer<typeof searchByRanks>>(places().url + searchByRanks.path, init)).body.results;
  };

  describe(`the API of ${form}`, () => {
    let games: Game[];
    let boardPath: string;
    let board: Board;
    const findBoard = async () => {
      ({ games } = await get<OperationAnswer<typeof listGames>>(listGames.path));
      for (const { titleId } of games) {
        const [first] = await get<{ id: number }[]>(listLeaderboards.path.replace(':titleId', titleId));
        if (first === undefined) continue;
        boardPath = getLeaderboard.path.replace(':titleId', titleId).replace(':leaderboardId', String(first.id));
        board = await get(boardPath);
        if (board.entries.length > 1) return;
      }
      throw new Error('no leaderboard has entries yet');
    };
    beforeAll(() => eventually(findBoard, IN_TIME), 180_000);

    it('takes a game by its name before it takes a title ID', async () => {
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
        const { changes } = await get<OperationAnswer<typeof listChanges>>(filtered);
        expect(changes.filter((change) => change.titleId !== titleId)).toEqual([]);
      }
    });

    it('has all matches of the hours asked where no limit is given', async () => {
      const online = Object.values(await get<OperationAnswer<typeof getOnlineUsers>>(getOnlineUsers.path));
      const busy = online.toSorted((a, b) => b.activeLobbies - a.activeLobbies).slice(0, 10);
      const paths = busy.map(({ titleId }) => `${getMatchHistory.path.replace(':titleId', titleId)}?hours=720`);
      const historyAt = (path: string) => get<OperationAnswer<typeof getMatchHistory>>(path);
      await eventually(async () => {
        const firsts = await Promise.all(paths.map((path) => historyAt(`${path}&limit=1`)));
        const most = firsts.reduce((best, { total }, index) => (total > (firsts[best]?.total ?? 0) ? index : best), 0);
        const { total, matches } = await historyAt(String(paths[most]));
        expect(total).toBeGreaterThan(MANY_MATCHES);
        expect(matches).toHaveLength(total);
      }, IN_TIME);
    });

    it('lets nobody keep an answer past its slot', async () => {
      for (const path of [listGames.path, listChanges.path, boardPath, getOnlineUsers.path]) {
        const { headers } = await getJson(places().url + path);
        expect(headers.get('cache-control')).toMatch(/^public, max-age=\d+$/);
      }
    });

    it('has the users online of a game at every path that a game route has', async () => {
      const [{ titleId, name } = { titleId: '', name: '' }] = games;
      const whole = (path: string) => path.replace(':titleId', titleId).replace(':game', encodeURIComponent(name));
      const paths = pathsOf(getTitleOnlineHistory).map(whole);
      expect(paths).toContain(whole('/api/game/:game/online-users/history'));
      await expectSame(...paths);
    });

    it('takes a rank as an entry has it, and leaves out names and filters that are empty', async () => {
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

    it('says when a board was last read, and has each event by its id', async () => {
      expect(board.observed_at).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
      await eventually(async () => {
        const [event] = await get<OperationAnswer<typeof listEvents>>(listEvents.path);
        expect(await get(getEvent.path.replace(':eventId', String(event?.id)))).toEqual(event);
      }, IN_TIME);
    });

    it('makes a profile for who has a session and none yet, and clears with Discord what depends on it', async () => {
      const accounts = (await getJson<Account[]>(`${places().networkUrl}/simulator/accounts`)).body;
      const [unseen] = accounts.filter(({ username }) => username === 'Never Online');
      const person = await logIn(places(), unseen!);
      const changed = async (fields: object) => {
        await eventually(async () => expect(await person.update(fields)).toMatchObject({ status: 200 }), IN_TIME);
        return (await get<OperationAnswer<typeof getProfile>>(pathTo(getProfile.path, person.username))).profile;
      };
      expect(await changed({})).toMatchObject({ social_links: [] });
      const links = (host: string) => [{ platform: 'twitch', url: `https://${host}/lobby`, label: null }];
      const linked = { discord_profile_url: DISCORD_PROFILE, social_links: links('www.twitch.tv') };
      const synced = { ...linked, avatar_url: expect.stringMatching(/./) as string };
      expect(await changed({ ...linked, sync_avatar_from_discord: true })).toMatchObject(synced);
      expect((await person.update({ social_links: links('twitch.tv.example') })).status).toBe(400);
      const cleared = { discord_profile_url: '', social_links: [], avatar_url: '' };
      expect(await changed({ discord_profile_url: null })).toMatchObject(cleared);
    });

    it('is described: the home page leads there, and similar names are told apart', async () => {
      const [home, document] = [await get<string>('/'), JSON.stringify(await get('/api/openapi.json'))];
      for (const path of ['/docs', '/api/openapi.json']) expect(home).toContain(`href="${path}"`);
      for (const said of ['open at once', 'began on that UTC day', 'this one match', '0 = unknown']) {
        expect(document).toContain(said);
      }
    });
  });
}
