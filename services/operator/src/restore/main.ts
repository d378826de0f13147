import { runRestore } from './run-restore.ts';

process.exitCode = await runRestore(process.argv.slice(2), process.env, {
  clock: Date.now,
  terminal: {
    out: (text) => process.stdout.write(text),
    error: (text) => process.stderr.write(text),
  },
});
