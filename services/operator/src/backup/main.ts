import { runBackup } from './run-backup.ts';

process.exitCode = await runBackup(process.argv.slice(2), process.env, {
  clock: Date.now,
  terminal: {
    out: (text) => process.stdout.write(text),
    error: (text) => process.stderr.write(text),
  },
});
