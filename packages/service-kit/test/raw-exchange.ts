import { connect, type Socket } from 'node:net';

/** Everything that a server sent before it closed the connection. */
export interface RawResponse {
  statusLine: string;
  headers: Headers;
  body: string;
}

/** Sends raw bytes and waits until the server closes the connection. */
export function exchange(port: number, ...chunks: (string | Buffer)[]): Promise<RawResponse> {
  return exchangeOver(port, (socket) => {
    for (const chunk of chunks) socket.write(chunk);
  });
}

/** As {@link exchange}, and ends the sending side. */
export function exchangeEnded(port: number, text: string): Promise<RawResponse> {
  return exchangeOver(port, (socket) => socket.end(text));
}

async function exchangeOver(port: number, send: (socket: Socket) => void): Promise<RawResponse> {
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
  return { statusLine, headers, body };
}
