import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

/** What a path is answered with, by `Accept-Encoding`. Header names and values in turn. */
export type BareAnswers = Readonly<Record<string, Readonly<Record<string, { headers: string[]; body: string }>>>>;

// In a container, in the place of a gateway: node:http that has every answer ready. Its arguments: the answers, and the socket or port.
const [file = '', address = ''] = process.argv.slice(2);
const answers = new Map(
  Object.entries(JSON.parse(readFileSync(file, 'utf8')) as BareAnswers).map(([path, byCoding]) => {
    const ready = Object.entries(byCoding).map(([coding, { headers, body }]) => {
      const etag = headers[headers.findIndex((name, at) => at % 2 === 0 && name.toLowerCase() === 'etag') + 1];
      const known = headers.filter((_, at) => !/^content-/i.test(headers[at - (at % 2)] ?? ''));
      return [coding, { headers, known, etag, body: Buffer.from(body, 'base64') }] as const;
    });
    return [path, new Map(ready)];
  }),
);
/** Any other path is answered as this one is: misses are of one size. */
const usual = answers.values().next().value;

const server = createServer(({ url = '', headers }, res) => {
  const byCoding = answers.get(url) ?? usual;
  const answer = byCoding?.get(headers['accept-encoding'] ?? '') ?? byCoding?.get('');
  if (answer === undefined) throw new Error('there is no answer');
  const isKnown = headers['if-none-match'] === answer.etag;
  res.writeHead(isKnown ? 304 : 200, isKnown ? answer.known : answer.headers);
  res.end(isKnown ? undefined : answer.body);
});
server.keepAliveTimeout = 65_000;
if (/^\d+$/.test(address)) server.listen(Number(address));
else server.listen({ path: address, readableAll: true, writableAll: true });
