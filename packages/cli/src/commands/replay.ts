import type { AddCommand } from '../cli-command.ts';

const DETAILS = `
Publishes to BUS_URL; by default to memory:DATA_DIR/bus.sqlite (DATA_DIR: ./data), the journal of npm start, which must
not be running then. With BUS_URL=memory: no consumer receives the messages.

Format of a line: {"url": "…", "at": "YYYY-MM-DDTHH:MM:SSZ", "body": "<html>…"}. Lines are sorted by slot, and the
pages of a leaderboard in the order in which they were read. npm run collector -- --save FILE writes such a file.
Settings are environment variables; services/collector/README.md explains each.

Exit codes: 0 all lines published; 1 nothing, or it failed; 2 lines, slots or leaderboards skipped, or wrong usage`;

export const addReplay: AddCommand = (program, toAction) => {
  program
    .command('replay')
    .description('publish saved pages as past observations')
    .argument('<source>', 'a file or an http(s) URL with one page per line')
    .addHelpText('after', DETAILS)
    .action(
      toAction(async (args, { env, terminal }) => {
        const { runCommand } = await import('@lobbystats/collector');
        const outcome = await runCommand([`--replay=${args.at(-1) ?? ''}`], env, {
          out: (text) => terminal.out(text),
          err: (text) => terminal.error(text),
        });
        // Only without --replay does the collector return settings to run with.
        return typeof outcome === 'number' ? outcome : 1;
      }),
    );
};
