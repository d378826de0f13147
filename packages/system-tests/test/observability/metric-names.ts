/** PromQL keywords that look like metric names. */
const PROMQL_KEYWORDS = new Set([
  'and',
  'or',
  'unless',
  'offset',
  'bool',
  'on',
  'ignoring',
  'group_left',
  'group_right',
  'inf',
  'nan',
]);
const GROUPING = /\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g;
const LABELS_AND_RANGES = /\{[^}]*\}|\[[^\]]*\]/g;
const STRINGS = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g;
const METRIC_NAME = /(?<![\w:.])[a-zA-Z_:][\w:]*\b(?!\s*\()/g;
/** Suffixes of histogram and summary samples. */
const SAMPLE_SUFFIX = /_(?:bucket|sum|count)$/;

/** Metric names in a PromQL expression, except those matched by patterns. */
export function metricNames(expression: string): string[] {
  const bare = expression.replace(STRINGS, '').replace(GROUPING, '').replace(LABELS_AND_RANGES, '');
  const names = [...bare.matchAll(METRIC_NAME)].map(([name]) => name);
  return [...new Set(names.filter((name) => !PROMQL_KEYWORDS.has(name)))];
}

/** Names without a metric family. */
export function unknownMetrics(names: readonly string[], families: ReadonlySet<string>): string[] {
  return names.filter((name) => !families.has(name) && !families.has(name.replace(SAMPLE_SUFFIX, '')));
}
