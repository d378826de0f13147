import { once } from 'node:events';
import { connect, type ClientHttp2Session, type ClientHttp2Stream, type OutgoingHttpHeaders } from 'node:http2';
import { cleanUp } from '@lobbystats/test-kit';

/** A response over HTTP/2. */
export interface Http2Response {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Emits the body. */
  readonly stream: ClientHttp2Stream;
}

/** Opens a connection that trusts only `ca`; it is closed after the test. */
export async function openHttp2(url: string, ca: string): Promise<ClientHttp2Session> {
  const session = connect(url, { ca });
  cleanUp(() => session.destroy());
  await once(session, 'connect');
  return session;
}

/** Sends a request. Resolves at the head of the response. Read its body at once: Node discards that of a closed stream. */
export async function requestHttp2(
  session: ClientHttp2Session,
  path: string,
  { body = '', ...headers }: OutgoingHttpHeaders & { body?: string } = {},
): Promise<Http2Response> {
  const stream = session.request({ ':path': path, ...headers }, { endStream: body === '' });
  // A server may reset the stream after an early response.
  stream.on('error', () => undefined);
  if (body !== '') stream.end(body);
  const [received] = (await once(stream, 'response')) as [Record<string, string | string[] | undefined>];
  return { status: Number(received[':status']), headers: received, stream };
}

/** Reads chunks of the body until its text matches. @throws Error when it ends before */
export async function readUntil({ stream }: Http2Response, pattern: RegExp): Promise<string> {
  stream.setEncoding('utf8');
  let text = '';
  for await (const chunk of stream as AsyncIterable<string>) {
    text += chunk;
    if (pattern.test(text)) return text;
  }
  throw new Error(`the body ended before ${String(pattern)}: ${text}`);
}
