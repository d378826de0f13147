import { eventually, startHttpReceiver } from '@lobbystats/test-kit';
import { localOutbound } from './channel-receiver.ts';
import { runDeliveries } from './running-deliveries.ts';
import { TITLE } from './running-notifications.ts';
import { runUserApi } from './running-user-api.ts';

describe('a topic of ntfy', () => {
  it('gets a message with a link', async () => {
    const server = await startHttpReceiver();
    const { add, slot, notification } = await runDeliveries();
    await add({ kind: 'ntfy', name: 'phone', url: `${server.url}/lobby-4f2a` });
    await slot(1, { 'Grey Öwl': 1 });
    await eventually(() => {
      expect(server.requests).toHaveLength(1);
    });
    const [{ path, body } = { path: '', body: '' }] = server.requests;
    expect([path, JSON.parse(body.toString())]).toEqual([
      '/',
      {
        topic: 'lobby-4f2a',
        title: 'Lobby in Harbor Racing',
        message: 'Grey Öwl has a lobby with 1 of 8 players',
        click: `http://127.0.0.1:8080/game/${TITLE}`,
        sequence_id: (await notification())?.id,
      },
    ]);
  });

  it('is switched off if the server refuses it', async () => {
    const server = await startHttpReceiver();
    const { add, test, channel } = await runDeliveries({ outbound: localOutbound() });
    await add({ kind: 'ntfy', name: 'phone', url: `${server.url}/lobby` });
    server.answer = (_, res) => void res.writeHead(403).end();
    await test('phone');
    await eventually(async () => {
      expect(await channel('phone')).toMatchObject({ state: 'off', problem: 'HTTP 403' });
    });
  });

  it.each([
    ...['https://ntfy.example/lobby', 'http://ntfy.sh/lobby', 'https://ntfy.sh/', 'https://ntfy.sh/a/b'],
    ...[
      'https://ntfy.sh/a?b=c',
      'https://ntfy.sh.example/a',
      'https://a:b@ntfy.sh/a',
      `https://ntfy.sh/${'a'.repeat(65)}`,
    ],
  ])('is refused at %s', async (url) => {
    const users = await runUserApi();
    const answer = await users.send('/api/me/channels', { kind: 'ntfy', name: 'phone', url });
    expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining('url must be') as unknown } });
  });
});
