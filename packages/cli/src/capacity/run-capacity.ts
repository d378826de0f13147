import type { CliContext } from '../cli-command.ts';
import { capacityOf } from './capacity.ts';
import { resourceTable, summaryOf, type Table } from './capacity-tables.ts';
import { DEFAULT_SIZE, type NetworkSize } from './network-size.ts';

const MAX = 1_000_000_000;

type CapacityOptions = { readonly [Name in keyof NetworkSize]?: string } & { readonly json?: true };

/** Prints what a network needs. Returns the exit code: 2 for a value that is no count. */
export function runCapacity({ terminal }: CliContext, options: CapacityOptions): Promise<number> {
  const { json, ...given } = options;
  const invalid = Object.entries(given).find(([, text]) => !/^\d+$/.test(text) || Number(text) > MAX);
  if (invalid !== undefined || given.maxRps === '0') {
    const [name, text] = invalid ?? ['maxRps', '0'];
    terminal.error(`capacity: ${name} must be an integer from ${name === 'maxRps' ? 1 : 0} to ${MAX}, not ${text}\n`);
    return Promise.resolve(2);
  }
  const numbers = Object.fromEntries(Object.entries(given).map(([name, text]) => [name, Number(text)]));
  const capacity = capacityOf({ ...DEFAULT_SIZE, ...numbers });
  if (json) {
    terminal.out(`${JSON.stringify(capacity, undefined, 2)}\n`);
    return Promise.resolve(0);
  }
  for (const [name, text] of summaryOf(capacity)) terminal.out(`${name.padEnd(32)}${text}\n`);
  terminal.out(`\n${textTable(resourceTable(capacity))}`);
  return Promise.resolve(0);
}

function textTable(table: Table): string {
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = table.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}
