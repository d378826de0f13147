import { runMigrate } from './run-migrate.ts';

process.exitCode = await runMigrate(process.argv.slice(2), process.env, {
  clock: Date.now,
  terminal: {
    out: (text) => process.stdout.write(text),
    error: (text) => process.stderr.write(text),
  },
});
