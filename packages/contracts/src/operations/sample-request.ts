import type { Operation } from './operation.ts';

export interface SampleRequest {
  /** Path with the query, encoded. */
  readonly target: string;
  readonly body?: unknown;
}

/** Values that exist in a system, by the name that operations give them in paths and samples. */
export type SampleValues = Readonly<Record<string, string>>;

/**
 * A request that gets a 200 where `values` exist: `:name` in the path and in the operation's sample stands for a value.
 *
 * @throws Error if a value is missing
 */
export function sampleRequest(
  { path, sample }: Pick<Operation, 'path' | 'sample'>,
  values: SampleValues,
): SampleRequest {
  const valueOf = (name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`${path} needs a sample value of ${name}`);
    return value;
  };
  const fill = (text: string) => text.replace(/:([a-z]\w*)/gi, (_, name: string) => valueOf(name));
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(valueOf(name)));
  const query = new URLSearchParams(sample?.query);
  for (const [name, text] of query) query.set(name, fill(text));
  const fillAll = (_: string, value: unknown) => (typeof value === 'string' ? fill(value) : value);
  return {
    target: query.size === 0 ? filled : `${filled}?${query.toString()}`,
    ...(sample?.body !== undefined && { body: JSON.parse(JSON.stringify(sample.body), fillAll) as unknown }),
  };
}
