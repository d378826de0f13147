import { connect, type Socket } from 'node:net';

/** What a server sent on a connection until it closed it. */
export interface RawAnswer {
  statusLine: string;
  headers: Headers;
  body: string;
  /** How long the connection lasted, in milliseconds. */
  ms: number;
}

/** Sends bytes as they are, and waits until the server closes the connection. */
export function exchange(port: number, ...chunks: (string | Buffer)[]): Promise<RawAnswer> {
  return exchangeOver(port, (socket) => {
    for (const chunk of chunks) socket.write(chunk);
  });
}

/** The same, and sends nothing more. */
export function exchangeEnded(port: number, text: string): Promise<RawAnswer> {
  return exchangeOver(port, (socket) => socket.end(text));
}

async function exchangeOver(port: number, send: (socket: Socket) => void): Promise<RawAnswer> {
  const began = performance.now();
  const text = await new Promise<string>((resolve, reject) => {
    const received: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => {
      send(socket);
    });
    socket.on('data', (chunk) => received.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => {
      resolve(Buffer.concat(received).toString());
    });
  });
  const [head = '', body = ''] = text.split('\r\n\r\n', 2);
  const [statusLine = '', ...fields] = head.split('\r\n');
  const headers = new Headers(
    fields.map((field) => [field.slice(0, field.indexOf(':')), field.slice(field.indexOf(':') + 1)]),
  );
  return { statusLine, headers, body, ms: performance.now() - began };
}
