/** Rows of one measurement, or of one of its tag sets. */
export interface Series {
  tags?: Readonly<Record<string, string>>;
  /** `time` is the first column, in epoch seconds. */
  values: readonly Row[];
}

/** A row's cells, in the order that the statement names them after the time. */
export type Row = readonly Cell[];
type Cell = number | string | boolean | null;

/** What the server answers, as far as it is read; it is taken for what the server's manual says. */
interface QueryAnswer {
  error?: string;
  results?: readonly { error?: string; partial?: boolean; series?: readonly (Series & { partial?: boolean })[] }[];
}

/**
 * What each statement of a query found. Its rows are not copied: a series can have 8,640 of them.
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
