import { redactText } from '@lobbystats/service-kit';

type Grade = 'ok' | 'warning' | 'fault';

export interface Finding {
  readonly part: string;
  readonly grade: Grade;
  readonly says: string;
  /** What to do about a fault. */
  readonly todo?: string;
}

export interface Part {
  ok(says: string): Finding;
  warning(says: string, todo: string): Finding;
  fault(says: string, todo: string): Finding;
}

/** Details never contain secrets. */
export function partOf(part: string): Part {
  return {
    ok: (says) => ({ part, grade: 'ok', says: redactText(says) }),
    warning: (says, todo) => ({ part, grade: 'warning', says: redactText(says), todo: redactText(todo) }),
    fault: (says, todo) => ({ part, grade: 'fault', says: redactText(says), todo: redactText(todo) }),
  };
}

export function showFindings(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ part }) => part.length));
  const lines = findings.flatMap(({ part, grade, says, todo }) => [
    `${grade.padEnd(7)}  ${part.padEnd(width)}  ${says}`,
    ...(todo === undefined ? [] : [`${' '.repeat(11 + width)}-> ${todo}`]),
  ]);
  const count = (grade: Grade) => findings.filter((finding) => finding.grade === grade).length;
  return `${lines.join('\n')}\n\n${count('fault')} faults, ${count('warning')} warnings, ${count('ok')} ok\n`;
}
