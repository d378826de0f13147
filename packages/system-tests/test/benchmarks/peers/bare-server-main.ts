import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BareCommand } from './bare-server.ts';
import { serveCommands } from './serve-commands.ts';

let [status, headers, body] = [200, [] as string[], Buffer.alloc(0)];

const server = createServer((_req, res) => {
  res.writeHead(status, headers);
  res.end(body);
});

const listening = new Promise<number>((resolve) => {
  server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
});

serveCommands(async (command) => {
  const { answer } = command as BareCommand;
  if (answer === undefined) return listening;
  ({ status, headers } = answer);
  body = Buffer.from(answer.body, 'base64');
  return undefined;
});
