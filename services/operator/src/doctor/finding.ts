import { redactText } from '@lobbystats/service-kit';

/** `fault`: something doesn't work, or will be lost; `warning`: it should be looked at. */
type Grade = 'ok' | 'warning' | 'fault';

/** One thing that was looked at. */
export interface Finding {
  /** What was looked at, such as `mongodb` or `series.sqlite`. */
  readonly part: string;
  readonly grade: Grade;
  readonly says: string;
  /** What to do about it; not where all is well. */
  readonly todo?: string;
}

/** Makes the findings of one part. */
export interface Part {
  ok(says: string): Finding;
  warning(says: string, todo: string): Finding;
  fault(says: string, todo: string): Finding;
}

/** Nothing that is said has a secret in it. */
export function partOf(part: string): Part {
  return {
    ok: (says) => ({ part, grade: 'ok', says: redactText(says) }),
    warning: (says, todo) => ({ part, grade: 'warning', says: redactText(says), todo: redactText(todo) }),
    fault: (says, todo) => ({ part, grade: 'fault', says: redactText(says), todo: redactText(todo) }),
  };
}

/** Findings as a table, with what to do below each that isn't well. */
export function showFindings(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ part }) => part.length));
  const lines = findings.flatMap(({ part, grade, says, todo }) => [
    `${grade.padEnd(7)}  ${part.padEnd(width)}  ${says}`,
    ...(todo === undefined ? [] : [`${' '.repeat(11 + width)}-> ${todo}`]),
  ]);
  const count = (grade: Grade) => findings.filter((finding) => finding.grade === grade).length;
  return `${lines.join('\n')}\n\n${count('fault')} faults, ${count('warning')} warnings, ${count('ok')} ok\n`;
}
