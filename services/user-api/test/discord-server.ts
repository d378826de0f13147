import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cleanUp } from '@lobbystats/test-kit';

/** A Discord of the test's own. */
export interface DiscordServer {
  readonly url: string;
  /** Every request so far. */
  readonly asked: { readonly path: string; readonly authorization: string | undefined }[];
  /** How it answers from now on. */
  answer: (res: ServerResponse, id: string) => void;
}

/** Starts a Discord that knows every number, with an avatar each. It is gone after the test. */
export async function startDiscord(): Promise<DiscordServer> {
  const discord = {
    url: '',
    asked: [] as DiscordServer['asked'],
    answer: (res: ServerResponse, id: string) => sendUser(res, { id }),
  };
  const server = createServer((req: IncomingMessage, res) => {
    const path = req.url ?? '';
    discord.asked.push({ path, authorization: req.headers.authorization });
    discord.answer(res, path.split('/').at(-1) ?? '');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  cleanUp(
    () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  );
  discord.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return discord;
}

/** Answers with a user as Discord does. */
export function sendUser(res: ServerResponse, user: object): void {
  sendJson(res, 200, { username: 'somebody', global_name: null, avatar: 'a_0123abcd', ...user });
}

export function sendJson(res: ServerResponse, status: number, body: unknown): void {
  res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}
