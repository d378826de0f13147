import { DAY_SECONDS, formatInstant, PLAYERS_PER_MESSAGE, SLOT_SECONDS } from '@lobbystats/contracts';
import { mortal } from './mortal.ts';
import { setStage, SLOT, type Stage } from './running-collector.ts';
import { scriptedNetwork, type ScriptedNetwork } from './scripted-network.ts';

/** Two whole days before today. */
const FROM = Math.floor(SLOT / DAY_SECONDS) * DAY_SECONDS - 2 * DAY_SECONDS;
const PARTS = 5;
const EACH = 30;

let stage: Stage;
let network: ScriptedNetwork;
beforeEach(async () => {
  stage = await setStage({ titles: 2, openMatches: 1, boards: 2 });
  network = await scriptedNetwork();
  network.answer((request, response) => {
    const url = new URL(request.url ?? '', 'http://network');
    if (url.pathname !== '/players') {
      response.writeHead(404).end();
      return;
    }
    const part = Number(url.searchParams.get('cursor') ?? '0');
    const players = Array.from({ length: EACH }, (_, i) => playerOf(part * EACH + i));
    const next = part + 1 < PARTS ? String(part + 1) : null;
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ players, next }));
  });
});
afterEach(async () => {
  await stage.close();
  await network.close();
});

function playerOf(number: number) {
  const from = FROM + number * SLOT_SECONDS;
  const span = { titleId: '4d530064', game: 'Harbor Racing', from: formatInstant(from), to: formatInstant(from + 600) };
  return { username: `P${number}`, gamertag: `Player ${number}`, verified: false, spans: [span] };
}

const env = () => ({ FILL_PLAYER_DAYS: '2', HISTORY_URL: network.url });
const asked = () => network.requests.filter(({ url }) => url?.startsWith('/players') === true);
const said = () => stage.play.flatMap(({ data }) => data.players);
const everybody = Array.from({ length: PARTS * EACH }, (_, number) => playerOf(number));

describe('the fill of players', () => {
  it('brings in the past once, marked as past', async () => {
    const collector = await stage.collector({ env: env() });
    await collector.filled();
    await stage.until(() => said().length === everybody.length);
    expect(said()).toEqual(everybody);
    expect(stage.play[0]).toMatchObject({
      past: true,
      occurredAt: formatInstant(FROM + (EACH - 1 + 3) * SLOT_SECONDS),
    });
    expect(collector.status.playerFill).toEqual({ done: true });
    const { searchParams } = new URL(asked()[0]?.url ?? '', 'http://network');
    expect([searchParams.get('from'), searchParams.get('to')]).toEqual([formatInstant(FROM), formatInstant(SLOT)]);

    const { length } = asked();
    await (await stage.collector({ env: env() })).filled();
    expect(asked()).toHaveLength(length);
  });

  it('loses nothing when it is killed between any two steps', async () => {
    for (let steps = 1; ; steps += 2) {
      const life = mortal(stage.store, stage.bus, steps);
      const killed = await stage.collector({ store: life.store, bus: life.bus, env: env() });
      await stage.poll(() => Promise.resolve(life.isDead() || killed.status.playerFill?.done === true));
      await killed.stop();
      if (killed.status.playerFill?.done === true) break;
      stage.clock.nowMs += 15_000;
    }
    await stage.until(() => new Set(said().map(({ username }) => username)).size === everybody.length);
    const told = new Map(said().map((one) => [one.username, one]));
    expect([...told.values()].sort((a, b) => Number(a.username.slice(1)) - Number(b.username.slice(1)))).toEqual(
      everybody,
    );
    expect(Math.max(...stage.play.map(({ data }) => data.players.length))).toBeLessThanOrEqual(PLAYERS_PER_MESSAGE);
  });

  it('is over at once where the network tells nothing of its players’ past', async () => {
    network.answer((_, response) => void response.writeHead(404).end());
    const collector = await stage.collector({ env: { ...env(), FILL_BOARD_DAYS: '0' } });
    await stage.poll(async () => (await stage.store.playerFill.state())?.isDone === true);
    expect(collector.status.playerFill).toBeDefined();
    expect(said()).toEqual([]);
  });
});
