/** What of a request's headers matters to an answer that is at hand. */
export interface RequestHead {
  acceptEncoding: string | undefined;
  ifNoneMatch: string | undefined;
  requestId: string | undefined;
}

/**
 * Reads the few headers that matter from the list as it came in: making Node's object of all of them would cost more than
 * the answer.
 *
 * @param rawHeaders names and values by turns
 * @returns undefined for what is not a plain request: not exactly one Host, a body, or one of these headers twice
 */
export function readRequestHead(rawHeaders: readonly string[]): RequestHead | undefined {
  const head: RequestHead = { acceptEncoding: undefined, ifNoneMatch: undefined, requestId: undefined };
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    const field = OF_LENGTH[name.length];
    if (field === undefined) continue;
    const known = field[name] ?? field[name.toLowerCase()];
    if (known === undefined) continue;
    if (known === 'body') return undefined;
    if (known === 'host') hosts += 1;
    else if (head[known] !== undefined) return undefined;
    else head[known] = rawHeaders[i + 1] ?? '';
  }
  return hosts === 1 ? head : undefined;
}

type Field = keyof RequestHead | 'host' | 'body';

const FIELDS: Readonly<Record<string, Field>> = {
  host: 'host',
  'accept-encoding': 'acceptEncoding',
  'if-none-match': 'ifNoneMatch',
  'x-request-id': 'requestId',
  'content-length': 'body',
  'transfer-encoding': 'body',
  expect: 'body',
};

/** By the length of the name, which tells almost all other headers apart at once; also in the spelling of most clients. */
const OF_LENGTH: readonly (Readonly<Record<string, Field>> | undefined)[] = (() => {
  const table: (Record<string, Field> | undefined)[] = [];
  for (const [name, field] of Object.entries(FIELDS)) {
    const capital = name.replace(/(?:^|-)[a-z]/g, (letter) => letter.toUpperCase());
    const ofLength = (table[name.length] ??= Object.create(null) as Record<string, Field>);
    ofLength[name] = field;
    ofLength[capital] = field;
  }
  return table;
})();
