export interface Series {
  tags?: Readonly<Record<string, string>>;
  values: readonly Row[];
}

export type Row = readonly Cell[];
type Cell = number | string | boolean | null;

interface QueryAnswer {
  error?: string;
  results?: readonly { error?: string; partial?: boolean; series?: readonly (Series & { partial?: boolean })[] }[];
}

/**
 * Rows of each statement, not copied. Throws on errors, which InfluxDB may send with status 200.
 *
 * @throws Error when the server answered with a fault, which can come with status 200, or with a part only
 */
export function rowsOf(answer: unknown): Series[][] {
  const { error, results } = (answer ?? {}) as QueryAnswer;
  if (error !== undefined) throw new Error(error);
  if (!Array.isArray(results)) throw new Error('not an answer to a query');
  return (results as NonNullable<QueryAnswer['results']>).map((result) => {
    if (result.error !== undefined) throw new Error(result.error);
    const series = result.series ?? [];
    if (result.partial === true || series.some(({ partial }) => partial)) throw new Error('the server limits its rows');
    return [...series];
  });
}
