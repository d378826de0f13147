import { runDoctor } from './run-doctor.ts';

process.exitCode = await runDoctor(process.argv.slice(2), process.env, {
  clock: Date.now,
  terminal: {
    out: (text) => process.stdout.write(text),
    error: (text) => process.stderr.write(text),
  },
});
