import { serveCommands } from '../peers/serve-commands.ts';
import type { Cost } from './cost.ts';
import type { Form } from './part.ts';
import { parts, type PartName } from './parts.ts';
import { scaleOf } from './scale.ts';

export interface PartCommand {
  readonly part: PartName;
  readonly form: Form;
  readonly factor: number;
}

serveCommands(async (command): Promise<Cost[]> => {
  const { part, form, factor } = command as PartCommand;
  const costs: Cost[] = [];
  await using stack = new AsyncDisposableStack();
  await parts[part].run({
    scale: scaleOf(factor),
    form,
    stack,
    measure: (what, cost) => costs.push({ what, ...cost }),
    say: (line) => process.stdout.write(`  … ${line}\n`),
  });
  return costs;
});
