import type { DrillResult } from './run-drill.ts';

const MARKS = { passed: 'passed  ', failed: 'FAILED  ', 'left out': 'left out' } as const;

/** The line of a drill in the table, followed by its measurements and faults. */
export function tableRow({ number, name, verdict, on, measured, faults, seconds }: DrillResult): string {
  const head = `${String(number).padStart(2)}  ${MARKS[verdict]}  ${name} (${on}, ${seconds} s)`;
  const seen = measured.map((sentence) => `              ${sentence}`);
  const wrong = faults.map((fault) => `            ! ${fault.replaceAll('\n', '\n              ')}`);
  return `${[head, ...seen, ...wrong].join('\n')}\n`;
}

/** Number of drills by verdict. */
export function summary(results: readonly DrillResult[]): string {
  const count = (verdict: DrillResult['verdict']) => results.filter((result) => result.verdict === verdict).length;
  const leftOut = results.filter(({ verdict }) => verdict === 'left out').map(({ number }) => number);
  const names = leftOut.length === 0 ? '' : ` (${leftOut.join(', ')})`;
  return `${count('passed')} passed, ${count('failed')} failed, ${leftOut.length} left out${names}\n`;
}
