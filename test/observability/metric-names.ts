/** Words of PromQL that look like names of metrics. */
const WORDS = new Set([
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
const NAME_THAT_IS_NOT_CALLED = /(?<![\w:.])[a-zA-Z_:][\w:]*\b(?!\s*\()/g;
/** What a histogram's or a summary's samples have behind its name. */
const OF_HISTOGRAM = /_(?:bucket|sum|count)$/;

/** The metrics that a PromQL expression names outright, not by a pattern. */
export function metricNames(expression: string): string[] {
  const bare = expression.replace(STRINGS, '').replace(GROUPING, '').replace(LABELS_AND_RANGES, '');
  const names = [...bare.matchAll(NAME_THAT_IS_NOT_CALLED)].map(([name]) => name);
  return [...new Set(names.filter((name) => !WORDS.has(name)))];
}

/** Those that nobody measures, given what is measured: families, as `# TYPE` names them. */
export function unmeasured(names: readonly string[], families: ReadonlySet<string>): string[] {
  return names.filter((name) => !families.has(name) && !families.has(name.replace(OF_HISTOGRAM, '')));
}
