export interface Series {
  tags?: Readonly<Record<string, string>>;
  values: readonly Row[];
}

export type Row = readonly Cell[];
type Cell = number | string | boolean | null;

interface QueryResponse {
  error?: string;
  results?: readonly { error?: string; partial?: boolean; series?: readonly (Series & { partial?: boolean })[] }[];
}

/**
 * Rows of each statement, not copied.
 *
 * @throws Error when the response is partial or an error, which InfluxDB may send with status 200
 */
export function rowsOf(answer: unknown): Series[][] {
  const { error, results } = (answer ?? {}) as QueryResponse;
  if (error !== undefined) throw new Error(error);
  if (!Array.isArray(results)) throw new Error('not a query response');
  return (results as NonNullable<QueryResponse['results']>).map((result) => {
    if (result.error !== undefined) throw new Error(result.error);
    const series = result.series ?? [];
    if (result.partial === true || series.some(({ partial }) => partial)) throw new Error('the server limits its rows');
    return [...series];
  });
}
