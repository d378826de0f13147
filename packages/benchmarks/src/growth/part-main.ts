import { messageOf } from '@lobbystats/errors';
import { serveCommands } from '../peers/serve-commands.ts';
import type { Cost } from './cost.ts';
import type { Form, PartContext } from './part.ts';
import { parts, type PartName } from './parts.ts';
import { scaleOf } from './scale.ts';

export interface PartCommand {
  readonly part: PartName;
  readonly form: Form;
  readonly factor: number;
}

/** Returns what was measured before a failure: a missing cost breaks its promise. */
serveCommands(async (command): Promise<Cost[]> => {
  const { part, form, factor } = command as PartCommand;
  const costs: Cost[] = [];
  const say = (line: string) => process.stdout.write(`  … ${line}\n`);
  await using stack = new AsyncDisposableStack();
  const context: PartContext = {
    ...{ scale: scaleOf(factor), form, stack, say },
    measure: (what, cost) => costs.push({ what, ...cost }),
  };
  await parts[part].run(context).catch((error: unknown) => say(`${part} failed at ${factor}x: ${messageOf(error)}`));
  return costs;
});
