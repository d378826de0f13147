/** Maps header names, in any case, to a meaning. The length rules out almost all names without reading them. */
class FieldTable<Meaning> {
  readonly #ofLength: (Map<string, Meaning> | undefined)[] = [];

  constructor(meanings: Readonly<Record<string, Meaning>>) {
    for (const [name, meaning] of Object.entries(meanings)) {
      const ofLength = (this.#ofLength[name.length] ??= new Map<string, Meaning>());
      ofLength.set(name, meaning);
      // The usual capitalisation.
      ofLength.set(
        name.replace(/(?:^|-)[a-z]/g, (letter) => letter.toUpperCase()),
        meaning,
      );
    }
  }

  get(name: string): Meaning | undefined {
    const ofLength = this.#ofLength[name.length];
    return ofLength === undefined ? undefined : (ofLength.get(name) ?? ofLength.get(name.toLowerCase()));
  }
}

export interface RequestHead {
  acceptEncoding: string | undefined;
  ifNoneMatch: string | undefined;
  requestId: string | undefined;
}

/**
 * Reads the needed headers from the raw list, which is cheaper than building Node's headers object.
 *
 * @param rawHeaders alternating names and values
 * @returns undefined for requests with a body, other than one Host, or a repeated header
 */
export function readRequestHead(rawHeaders: readonly string[]): RequestHead | undefined {
  const head: RequestHead = { acceptEncoding: undefined, ifNoneMatch: undefined, requestId: undefined };
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const known = FIELDS.get(rawHeaders[i] ?? '');
    if (known === undefined) continue;
    if (known === 'body') return undefined;
    if (known === 'host') hosts += 1;
    else if (head[known] !== undefined) return undefined;
    else head[known] = rawHeaders[i + 1] ?? '';
  }
  return hosts === 1 ? head : undefined;
}

const FIELDS = new FieldTable<keyof RequestHead | 'host' | 'body'>({
  host: 'host',
  'accept-encoding': 'acceptEncoding',
  'if-none-match': 'ifNoneMatch',
  'x-request-id': 'requestId',
  'content-length': 'body',
  'transfer-encoding': 'body',
  expect: 'body',
});
