import { redactText } from '@lobbystats/service-kit';

type Severity = 'ok' | 'warning' | 'fault';

export interface Finding {
  readonly part: string;
  readonly grade: Severity;
  readonly says: string;
  /** Remedy. */
  readonly todo?: string;
}

export interface FindingFactory {
  ok(says: string): Finding;
  warning(says: string, todo: string): Finding;
  fault(says: string, todo: string): Finding;
}

/** Details never contain secrets. */
export function findingsOf(part: string): FindingFactory {
  return {
    ok: (says) => ({ part, grade: 'ok', says: redactText(says) }),
    warning: (says, todo) => ({ part, grade: 'warning', says: redactText(says), todo: redactText(todo) }),
    fault: (says, todo) => ({ part, grade: 'fault', says: redactText(says), todo: redactText(todo) }),
  };
}

export function formatFindings(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ part }) => part.length));
  const lines = findings.flatMap(({ part, grade, says, todo }) => [
    `${grade.padEnd(7)}  ${part.padEnd(width)}  ${says}`,
    ...(todo === undefined ? [] : [`${' '.repeat(11 + width)}-> ${todo}`]),
  ]);
  const count = (grade: Severity) => findings.filter((finding) => finding.grade === grade).length;
  return `${lines.join('\n')}\n\n${count('fault')} faults, ${count('warning')} warnings, ${count('ok')} ok\n`;
}
