import { operations } from '@lobbystats/contracts';
import { CHESS, DAY, HARBOR, HOUR, NOW, RALLY, SLOT, TODAY } from './observations.ts';
import { httpDate, runSeries, type RunningSeries } from './running-series.ts';

const LATEST = operations.getLatestActivity.path;
const SUMMARY = operations.getOnlineSummary.path;
const HISTORY = operations.getTitleOnlineHistory.path.replace(':titleId', HARBOR);

let series: RunningSeries;
beforeEach(async () => {
  series = await runSeries();
});
afterEach(async () => {
  await series.stop();
});

describe('latest activity', () => {
  const lobbies = async () =>
    ((await series.get(LATEST)).body as { titles: { titleId: string; lobbyHostNames: string[] }[] }).titles.map(
      ({ titleId, lobbyHostNames }) => [titleId, lobbyHostNames],
    );

  it('is empty before the first slot', async () => {
    const { body, headers } = await series.get(LATEST);
    expect(body).toEqual({ slot: null, titles: [] });
    expect(headers.get('last-modified')).toBeNull();
  });

  it('lists the titles of the newest past slot by title ID, with hosts in code-point order', async () => {
    const harbor = { online: 7, sessions: 2, players: 5, matches: { b: 1, B: 2, '\u{1F3C1}': 1, '\uFF21': 1 } };
    await series.observe({
      [NOW - SLOT]: { titles: { [RALLY]: { online: 3 } } },
      [NOW]: { titles: { [CHESS]: {}, [HARBOR]: harbor } },
      [NOW + SLOT]: { titles: { [RALLY]: {} } },
    });
    const { body, headers } = await series.get(LATEST);
    expect(body).toMatchObject({
      slot: '2027-01-15T08:00:00Z',
      titles: [
        {
          titleId: HARBOR,
          online: 7,
          activeLobbies: 4,
          hasActiveSession: true,
          sessionCount: 2,
          activeLobbyPlayers: 5,
          lobbyHostNames: ['B', 'b', '\uFF21', '\u{1F3C1}'],
        },
        {
          titleId: CHESS,
          online: 0,
          activeLobbies: 0,
          hasActiveSession: false,
          sessionCount: 0,
          activeLobbyPlayers: 0,
          lobbyHostNames: [],
        },
      ],
    });
    expect(headers.get('last-modified')).toBe(httpDate(NOW));
  });

  it('can be of one title', async () => {
    await series.observe({
      [NOW - SLOT]: { titles: { [RALLY]: { online: 3, matches: { Eve: 1 } } } },
      [NOW]: { titles: { [CHESS]: { matches: { Bob: 1 } }, [RALLY]: { online: 4, matches: null } } },
    });
    const of = async (titleId: string) => (await series.get(`${LATEST}?titleId=${titleId}`)).body;
    expect(await of(RALLY)).toMatchObject({
      slot: '2027-01-15T08:00:00Z',
      titles: [{ titleId: RALLY, online: 4, lobbyHostNames: ['Eve'] }],
    });
    expect(await of(HARBOR)).toEqual({ slot: '2027-01-15T08:00:00Z', titles: [] });
    expect((await series.get(`${LATEST}?titleId=chess`)).status).toBe(400);
  });

  it('repeats the last lobbies of a title whose page is missing, for at most an hour', async () => {
    const missing = { titles: { [HARBOR]: { matches: null } } };
    await series.observe({
      [NOW - HOUR - SLOT]: { titles: { [HARBOR]: { matches: { Bob: 1 } } } },
      [NOW - HOUR]: { titles: { [HARBOR]: { matches: { Ada: 1 } } } },
      [NOW]: missing,
    });
    expect(await lobbies()).toEqual([[HARBOR, ['Ada']]]);
    series.clock.nowMs += SLOT * 1000;
    await series.observe({ [NOW + SLOT]: missing });
    expect(await lobbies()).toEqual([[HARBOR, []]]);
  });

  it('shows no lobbies when the page of the title lists none', async () => {
    await series.observe({
      [NOW - SLOT]: { titles: { [HARBOR]: { matches: { Ada: 1 } } } },
      [NOW]: { titles: { [HARBOR]: {} } },
    });
    expect(await lobbies()).toEqual([[HARBOR, []]]);
  });

  it('shows the newest slot until it expires after thirty days', async () => {
    await series.observe({ [NOW]: {} });
    series.clock.nowMs += 30 * DAY * 1000 - 1000;
    expect((await series.get(LATEST)).body).toMatchObject({ slot: '2027-01-15T08:00:00Z' });
    series.clock.nowMs += 1000;
    expect((await series.get(LATEST)).body).toEqual({ slot: null, titles: [] });
  });
});

describe('online summary', () => {
  it('an empty store has peaks of 0 without a time', async () => {
    const { body } = await series.get(SUMMARY);
    expect(body).toEqual({
      period: 'today',
      peakOnline: 0,
      peakOnlineAt: null,
      peakLobbies: 0,
      peakLobbiesAt: null,
      mostPlayedGame: null,
      gamesWithActivityCount: 0,
      totalSnapshotCount: 0,
    });
  });

  it('reports the first of equal peaks, and only titles of the last 24 hours', async () => {
    await series.name(1, { [HARBOR]: 'Harbor Racing' });
    await series.observe({
      [NOW - DAY]: { online: 99, titles: { [RALLY]: { online: 99, matches: { Ada: 1, Bob: 1, Cyd: 1 } } } },
      [NOW - DAY + SLOT]: { online: 10, titles: { [HARBOR]: { online: 4 }, [CHESS]: {} } },
      [NOW - SLOT]: { online: 10, titles: { [HARBOR]: { online: 6, matches: { Ada: 1 } } } },
      [NOW]: { online: 3, titles: { [HARBOR]: { matches: { Ada: 1 } } } },
    });
    const today = await series.get(SUMMARY);
    expect(today.body).toEqual({
      period: 'today',
      peakOnline: 10,
      peakOnlineAt: '2027-01-14 08:05:00',
      peakLobbies: 1,
      peakLobbiesAt: '2027-01-15 07:55:00',
      mostPlayedGame: { name: 'Harbor Racing', titleId: HARBOR, peak: 6 },
      gamesWithActivityCount: 1,
      totalSnapshotCount: 3,
    });
    expect(today.headers.get('last-modified')).toBe(httpDate(NOW));
    expect((await series.get(`${SUMMARY}?period=7d`)).body).toEqual({
      period: '7d',
      peakOnline: 99,
      peakOnlineAt: '2027-01-14 08:00:00',
      peakLobbies: 3,
      peakLobbiesAt: '2027-01-14 08:00:00',
      mostPlayedGame: { name: 'Harbor Racing', titleId: HARBOR, peak: 6 },
      gamesWithActivityCount: 1,
      totalSnapshotCount: 4,
    });
  });

  it('counts the titles that the catalog knows, as the ranking does', async () => {
    await series.observe({ [NOW]: { online: 9, titles: { [RALLY]: { online: 9 }, [HARBOR]: { online: 2 } } } });
    const none = { mostPlayedGame: null, gamesWithActivityCount: 0 };
    expect((await series.get(SUMMARY)).body).toMatchObject({ peakOnline: 9, ...none });
    await series.name(1, { [HARBOR]: 'Harbor Racing' });
    const harbor = { name: 'Harbor Racing', titleId: HARBOR, peak: 2 };
    expect((await series.get(SUMMARY)).body).toMatchObject({ mostPlayedGame: harbor, gamesWithActivityCount: 1 });
    await series.name(2, { [RALLY]: 'Rally' });
    expect((await series.get(SUMMARY)).body).toMatchObject({
      mostPlayedGame: { titleId: RALLY },
      gamesWithActivityCount: 2,
    });
  });

  it('a period of seven days excludes the slot 168 hours ago', async () => {
    await series.observe({ [NOW - 7 * DAY]: { online: 9 }, [NOW - 7 * DAY + SLOT]: { online: 1 } });
    expect((await series.get(`${SUMMARY}?period=7d`)).body).toMatchObject({ peakOnline: 1, totalSnapshotCount: 1 });
  });

  it('breaks ties of the most played game by the sum, then by the name', async () => {
    const mostPlayed = async () => ((await series.get(SUMMARY)).body as { mostPlayedGame: unknown }).mostPlayedGame;
    await series.name(1, { [RALLY]: 'b', [HARBOR]: 'c', [CHESS]: 'B' });
    const peak = { online: 5 };
    await series.observe({ [NOW - SLOT]: { titles: { [RALLY]: peak, [HARBOR]: peak, [CHESS]: peak } } });
    expect(await mostPlayed()).toEqual({ name: 'B', titleId: CHESS, peak: 5 });
    await series.observe({ [NOW]: { titles: { [HARBOR]: { online: 1 } } } });
    expect(await mostPlayed()).toEqual({ name: 'c', titleId: HARBOR, peak: 5 });
  });

  it('has no lobby peak when every slot lacks a title', async () => {
    await series.observe({ [NOW]: { online: 1, titles: { [HARBOR]: { matches: null } } } });
    expect((await series.get(SUMMARY)).body).toMatchObject({ peakOnline: 1, peakLobbies: 0, peakLobbiesAt: null });
  });
});

describe('online history of a title', () => {
  it('lists the snapshots of the last N hours, ascending', async () => {
    await series.name(7, { [HARBOR]: 'Harbor Racing' });
    await series.observe({
      [NOW - 48 * HOUR]: { titles: { [HARBOR]: { online: 1 } } },
      [NOW - HOUR]: { titles: { [HARBOR]: { online: 2 } } },
      [NOW - SLOT]: { titles: { [HARBOR]: { online: 0 } } },
      [NOW]: { titles: { [RALLY]: { online: 9 } } },
      [NOW + SLOT]: { titles: { [HARBOR]: { online: 7 } } },
    });
    const head = { titleId: HARBOR, gameName: 'Harbor Racing' };
    const { body, headers } = await series.get(HISTORY);
    expect(body).toEqual({
      ...head,
      hours: 48,
      resolution: 'raw',
      history: [
        { recorded_at: '2027-01-15 07:00:00', online_count: 2 },
        { recorded_at: '2027-01-15 07:55:00', online_count: 0 },
      ],
    });
    expect(headers.get('last-modified')).toBe(httpDate(NOW - SLOT));
    expect((await series.get(`${HISTORY}?hours=1&resolution=60`)).body).toEqual({
      ...head,
      hours: 1,
      resolution: '60',
      history: [{ recorded_at: '2027-01-15 07:00:00', online_count: 0, min: 0, max: 0 }],
    });
    expect((await series.get(`${HISTORY}?hours=720`)).body).toMatchObject({ history: [{}, {}, {}] });
  });

  it('is empty for a title that has only a name', async () => {
    await series.name(1, { [HARBOR]: 'Harbor Racing' });
    const { body } = await series.get(HISTORY);
    expect(body).toEqual({
      titleId: HARBOR,
      gameName: 'Harbor Racing',
      hours: 48,
      resolution: 'raw',
      history: [],
    });
  });

  it('shows the name of the highest revision, or an empty one when unknown', async () => {
    const name = async () => ((await series.get(HISTORY)).body as { gameName: string }).gameName;
    await series.observe({ [TODAY]: { titles: { [HARBOR]: {} } } });
    expect(await name()).toBe('');
    await series.name(2, { [HARBOR]: 'After' });
    await series.name(1, { [HARBOR]: 'Before' });
    expect(await name()).toBe('After');
  });
});
