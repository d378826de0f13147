import { Agent, request } from 'node:http';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { DocumentedRequest, DocumentedParameter, FuzzDocument, FuzzResponse, Schema } from './fuzz-document.ts';
import { hostileJson, hostileText, valueOf } from './fuzz-values.ts';

/** A request to send. */
export interface FuzzRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
}

/** Existing values by parameter name. */
export type KnownValues = Readonly<Record<string, readonly string[]>>;

/** A longer target would be rejected for its length alone. */
const TARGET_MAX = 8000;

/** Requests for a documented operation: mostly valid or nearly so, some entirely hostile. */
export function requestsFor(
  asked: DocumentedRequest,
  document: FuzzDocument,
  known: KnownValues,
  keys: readonly string[],
): fc.Arbitrary<FuzzRequest> {
  const resolve = (schema: Schema) => document.resolve(schema);
  const text = (parameter: DocumentedParameter) => parameterText(parameter, known, resolve);
  const inPath = asked.parameters.filter((one) => one.in === 'path');
  const inQuery = asked.parameters.filter((one) => one.in === 'query');
  return fc
    .record({
      method: fc.oneof(
        { arbitrary: fc.constant(asked.method), weight: 9 },
        { arbitrary: otherMethod(asked.method), weight: 1 },
      ),
      path: fc.tuple(...inPath.map((parameter) => text(parameter).map(encoded))),
      query: fc.tuple(...inQuery.map((parameter) => queryPairs(parameter, text(parameter)))),
      unknown: fc.option(fc.tuple(hostileText, hostileText), { freq: 8 }),
      headers: headers(keys),
      body: asked.body === undefined ? fc.constant(noBody) : body(asked.body, keys, resolve),
    })
    .map(({ method, path, query, unknown, headers, body: [bytes, bodyHeaders] }) => {
      const values = [...path];
      const pathname = asked.path.replace(/\{\w+\}/g, () => values.shift() ?? '');
      const more = unknown === null ? [] : [unknown.map(encoded).join('=')];
      const pairs = [...query.flat(), ...more].join('&');
      return {
        method,
        target: `${pathname}${pairs === '' ? '' : `?${pairs}`}`.slice(0, TARGET_MAX),
        headers: { ...headers, ...bodyHeaders },
        body: bytes,
      };
    });
}

/** Sends a request and waits for the whole response. The target is not normalised. */
export function send(
  url: string,
  { method, target, headers, body }: FuzzRequest,
  timeoutMs = 10_000,
): Promise<FuzzResponse & { header: (name: string) => string | null }> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(timeoutMs);
    // Node sends the body of a DELETE without Content-Length.
    const isMeasured = body !== undefined && !('transfer-encoding' in headers);
    const length = isMeasured ? { 'content-length': String(body.length) } : {};
    const options = { hostname, port, path: target, method, headers: { ...headers, ...length }, agent, signal };
    const req = request(options, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('error', reject);
      res.on('end', () => {
        const header = (name: string) => res.headers[name.toLowerCase()]?.toString() ?? null;
        const text = Buffer.concat(chunks).toString();
        const hasHeader = (name: string) => header(name) !== null;
        resolve({ status: res.statusCode ?? 0, type: header('content-type'), text, header, hasHeader });
      });
    });
    req.on('error', reject);
    req.end(body);
  });
}

// A connection for each request: a server may close one after what it refused, just when the next request uses it.
const agent = new Agent({ maxSockets: 4 });

function otherMethod(method: string): fc.Arbitrary<string> {
  const others = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'TRACE'];
  return fc.constantFrom(...others.filter((one) => one !== method));
}

function parameterText(
  { name, schema, example }: DocumentedParameter,
  known: KnownValues,
  resolve: (schema: Schema) => Schema,
): fc.Arbitrary<string> {
  if (name === SESSION_KEY) return fc.constantFrom(...(known[name] ?? []), ...MADE_UP_KEYS);
  const examples = [...(known[name] ?? []), ...(example === undefined ? [] : [textOf(example)])];
  const right = valueOf(schema, resolve).map(String);
  return fc.oneof(
    { arbitrary: right, weight: 3 },
    ...(examples.length === 0 ? [] : [{ arbitrary: fc.constantFrom(...examples), weight: 4 }]),
    { arbitrary: hostileText, weight: 2 },
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function queryPairs(
  { name, required = false }: DocumentedParameter,
  text: fc.Arbitrary<string>,
): fc.Arbitrary<string[]> {
  const pair = text.map((value) => `${encodeURIComponent(name)}=${encoded(value)}`);
  return fc.oneof<fc.MaybeWeightedArbitrary<string[]>[]>(
    { arbitrary: fc.constant([]), weight: required ? 1 : 8 },
    { arbitrary: pair.map((one) => [one]), weight: 8 },
    { arbitrary: fc.tuple(pair, pair), weight: 1 },
    { arbitrary: fc.constantFrom([name], [`${name}[]=1`], [`${name}=%`], [`${name}=%FF`], [`%${name}=1`]), weight: 1 },
  );
}

/** Percent-encodes a text. Encoded text stays as it is, so that malformed encodings are sent. */
function encoded(text: string): string {
  return /^[%.\w]+$/.test(text) ? text : encodeURIComponent(text.toWellFormed());
}

function headers(keys: readonly string[]): fc.Arbitrary<Record<string, string>> {
  const odd = fc.constantFrom<Record<string, string>>(
    ...[
      { 'if-none-match': '*' },
      { 'if-none-match': '"x", W/"y"' },
      { accept: 'text/csv' },
      { 'accept-encoding': 'gzip;q=0, *;q=0' },
    ],
    ...[
      { range: 'bytes=0-1' },
      { 'x-http-method-override': 'DELETE' },
      { 'x-forwarded-host': 'evil.example' },
      { expect: '100-continue' },
    ],
    ...[
      { cookie: 'a=b' },
      { 'content-type': 'text/plain' },
      { 'x-request-id': 'a b' },
      { 'x-session-key': 'made-up' },
      { 'transfer-encoding': 'chunked' },
    ],
    ...[{ 'x-session-key': 'x'.repeat(5000) }, { traceparent: '00-zz' }, { origin: 'null' }, { 'last-event-id': '-1' }],
  );
  return fc.oneof(
    { arbitrary: fc.constant({}), weight: 4 },
    { arbitrary: odd, weight: 3 },
    { arbitrary: fc.constantFrom(...keys).map((key) => ({ 'x-session-key': key })), weight: 3 },
  );
}

const SESSION_KEY = 'sessionKey';
/** Few: after 20 of a client within a minute, its others are not verified, which is answered with 503. */
const MADE_UP_KEYS = ['made-up', '', '.*', 'constructor', '\0', '[$ne]', "' OR 1=1", '\u{1f3c1}'];

/** Replaces a session key that no user has by one of {@link MADE_UP_KEYS}. */
function withFewKeys(value: unknown, keys: readonly string[]): unknown {
  if (typeof value !== 'object' || value === null || !(SESSION_KEY in value)) return value;
  const { sessionKey } = value;
  if (typeof sessionKey !== 'string' || keys.includes(sessionKey)) return value;
  return { ...value, sessionKey: MADE_UP_KEYS[sessionKey.length % MADE_UP_KEYS.length] };
}

type Body = readonly [bytes: Buffer | undefined, headers: Record<string, string>];
const noBody: Body = [undefined, {}];

function body(schema: Schema, keys: readonly string[], resolve: (schema: Schema) => Schema): fc.Arbitrary<Body> {
  const json = { 'content-type': 'application/json' };
  const right = valueOf(schema, resolve);
  const keyed = fc
    .tuple(right, fc.constantFrom(...keys))
    .map(([value, sessionKey]) => ({ ...(value as object), sessionKey }));
  const spoilt = fc
    .tuple(right, hostileText, hostileJson)
    .map(([value, name, instead]) => ({ ...(value as object), [name]: instead }));
  const oneSpoilt = fc.tuple(right, fc.nat(), hostileJson).map(([value, index, instead]) => {
    const names = Object.keys(value as object);
    const name = names[index % Math.max(names.length, 1)];
    return name === undefined ? value : { ...(value as object), [name]: instead };
  });
  const texts = fc.oneof(
    {
      arbitrary: fc
        .oneof(right, keyed, spoilt, oneSpoilt, hostileJson)
        .map((value) => JSON.stringify(withFewKeys(value, keys))),
      weight: 8,
    },
    { arbitrary: hostileText, weight: 1 },
    {
      arbitrary: fc.constantFrom(
        '{',
        '[1,]',
        '{"a":1}x',
        '['.repeat(1000),
        'x'.repeat(70_000),
        '{"__proto__":{"a":1}}',
        '\ufeff{}',
      ),
      weight: 1,
    },
  );
  return fc.oneof(
    { arbitrary: texts.map((one): Body => [Buffer.from(one), json]), weight: 9 },
    { arbitrary: fc.uint8Array({ maxLength: 40 }).map((one): Body => [Buffer.from(one), json]), weight: 1 },
    {
      arbitrary: fc.constantFrom<Body>(
        noBody,
        [Buffer.from('{}'), { 'content-type': 'text/plain' }],
        [Buffer.from('a=b'), { 'content-type': 'application/x-www-form-urlencoded' }],
        [gzipSync(Buffer.alloc(1_000_000)), { ...json, 'content-encoding': 'gzip' }],
      ),
      weight: 1,
    },
  );
}
