import type { DlqAction, DlqOptions } from '@lobbystats/service-kit/bus';
import type { AddCommands, CliContext } from '../cli-command.ts';

const DETAILS = `
Dead letters are messages that could not be handled.

BUS_URL selects the bus (default: memory: and bus.sqlite in DATA_DIR, ./data). The bus may be in use. For RabbitMQ it is
amqp://dlq:PASSWORD@HOST:PORT/VHOST, with the password of the user dlq; run one command at a time. In a compose
deployment run docker compose run --rm dlq list.

Exit codes: 0 done, even if nothing matched; 1 the bus can't be opened; 2 wrong usage`;

const append = (id: string, ids: readonly string[] = []): readonly string[] => [...ids, id];

export const addDlq: AddCommands = (program, toAction) => {
  const command = program
    .command('dlq')
    .description('list, requeue or purge dead letters')
    .option('--queue <name>', 'only dead letters of this queue')
    .option('--id <id>', 'only the dead letter with this ID; repeatable', append)
    .option('--all', 'with purge: all dead letters')
    .option('--json', 'print JSON, including message bodies')
    .addHelpText('after', DETAILS);
  const action = command
    .createArgument(
      '<action>',
      'list: print dead letters, the oldest first; requeue: return them to their queues, with all attempts; ' +
        'purge: delete them permanently',
    )
    .choices(['list', 'requeue', 'purge']);
  command.addArgument(action).action(toAction(loadDlq));
};

/** Reads BUS_URL as services do, because its password may be a secret. */
async function loadDlq() {
  const [{ runDlq }, { readConfig, runCommand, setting }, { z }] = await Promise.all([
    import('@lobbystats/service-kit/bus'),
    import('@lobbystats/service-kit'),
    import('zod'),
  ]);
  const schema = z.object({ BUS_URL: setting.text().optional() });
  return ({ env, ...context }: CliContext, action: DlqAction, options: DlqOptions) =>
    runCommand('dlq', context.terminal, () =>
      runDlq({ ...context, env: { ...env, ...readConfig(schema, env) } }, action, options),
    );
}
