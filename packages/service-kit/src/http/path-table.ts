/** What a path leads to, and the values of its parameters, percent-decoded. */
export interface Found<Value> {
  readonly value: Value;
  readonly params: Record<string, string>;
}

interface Node<Value> {
  readonly literals: Map<string, Node<Value>>;
  parameter?: Node<Value>;
  leaf?: { readonly value: Value; readonly names: readonly string[] };
}

/**
 * Finds what is served at a path by its segments, one look-up each, where a router would try one pattern after the other.
 * It knows only paths as they are written: what it doesn't find, a router may.
 */
export class PathTable<Value> {
  readonly #root: Node<Value> = { literals: new Map() };

  /** @param path with `:name` for a segment that is a parameter */
  add(path: string, value: Value): void {
    const names: string[] = [];
    let node = this.#root;
    for (const segment of path.slice(1).split('/')) {
      if (segment.startsWith(':')) {
        names.push(segment.slice(1));
        node = node.parameter ??= { literals: new Map() };
      } else {
        const next = node.literals.get(segment) ?? { literals: new Map() };
        node.literals.set(segment, next);
        node = next;
      }
    }
    node.leaf = { value, names };
  }

  /** @param url as it came in, with or without a query */
  find(url: string): Found<Value> | undefined {
    const end = url.search(/[?#]/);
    const path = end === -1 ? url : url.slice(0, end);
    if (!path.startsWith('/')) return undefined;
    const given: string[] = [];
    let node: Node<Value> | undefined = this.#root;
    for (const segment of path.slice(1).split('/')) {
      const literal: Node<Value> | undefined = node.literals.get(segment);
      if (literal === undefined && segment !== '') given.push(segment);
      node = literal ?? (segment === '' ? undefined : node.parameter);
      if (node === undefined) return undefined;
    }
    return node.leaf === undefined ? undefined : withParams(node.leaf, given);
  }
}

function withParams<Value>(
  { value, names }: NonNullable<Node<Value>['leaf']>,
  given: readonly string[],
): Found<Value> | undefined {
  try {
    const params = Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(given[index] ?? '')]));
    return { value, params };
  } catch {
    return undefined;
  }
}
