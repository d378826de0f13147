export function compareCounts(
  expected: Readonly<Record<string, number>>,
  found: Readonly<Record<string, number>>,
): string[] {
  const names = [...new Set([...Object.keys(expected), ...Object.keys(found)])].sort();
  return names
    .filter((name) => (expected[name] ?? 0) !== (found[name] ?? 0))
    .map((name) => `${name}: ${found[name] ?? 0}, not ${expected[name] ?? 0}`);
}
