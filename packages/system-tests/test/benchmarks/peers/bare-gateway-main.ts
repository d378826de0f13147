import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

/** Responses by path and `Accept-Encoding`. Header names and values alternate. */
export type BareResponses = Readonly<Record<string, Readonly<Record<string, { headers: string[]; body: string }>>>>;

// Replaces a gateway in a container by node:http. Arguments: the file of prebuilt responses, and the socket or port.
const [file = '', address = ''] = process.argv.slice(2);
const responses = new Map(
  Object.entries(JSON.parse(readFileSync(file, 'utf8')) as BareResponses).map(([path, byCoding]) => {
    const ready = Object.entries(byCoding).map(([coding, { headers, body }]) => {
      const etag = headers[headers.findIndex((name, at) => at % 2 === 0 && name.toLowerCase() === 'etag') + 1];
      const known = headers.filter((_, at) => !/^content-/i.test(headers[at - (at % 2)] ?? ''));
      return [coding, { headers, known, etag, body: Buffer.from(body, 'base64') }] as const;
    });
    return [path, new Map(ready)];
  }),
);
/** The response for any other path, so that all misses have one size. */
const defaultResponse = responses.values().next().value;

const server = createServer(({ url = '', headers }, res) => {
  const byCoding = responses.get(url) ?? defaultResponse;
  const answer = byCoding?.get(headers['accept-encoding'] ?? '') ?? byCoding?.get('');
  if (answer === undefined) throw new Error('no response is configured');
  const isKnown = headers['if-none-match'] === answer.etag;
  res.writeHead(isKnown ? 304 : 200, isKnown ? answer.known : answer.headers);
  res.end(isKnown ? undefined : answer.body);
});
server.keepAliveTimeout = 65_000;
if (/^\d+$/.test(address)) server.listen(Number(address));
else server.listen({ path: address, readableAll: true, writableAll: true });
