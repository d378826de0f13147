import type { DeadLetter } from './message-bus.ts';
import { oneLine } from './one-line.ts';

const HEADER = ['ID', 'QUEUE', 'TYPE', 'ATTEMPTS', 'DIED AT', 'REASON'] as const;

export function formatDeadLetters(letters: readonly DeadLetter[]): string {
  if (letters.length === 0) return 'No dead letters.';
  const rows = [HEADER, ...letters.map(toCells)];
  const widths = HEADER.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function toCells({ id, queue, body, attempts, diedAt, reason }: DeadLetter): string[] {
  return [id, queue, claimedType(body), String(attempts), diedAt, oneLine(reason, 160)];
}

function claimedType(body: string): string {
  try {
    const parsed: unknown = JSON.parse(body);
    if (typeof parsed === 'object' && parsed !== null && 'type' in parsed && typeof parsed.type === 'string') {
      return oneLine(parsed.type, 40) || '?';
    }
  } catch {
    // Bodies that are not JSON are dead letters for that reason.
  }
  return '?';
}
