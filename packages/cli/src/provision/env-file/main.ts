import process from 'node:process';
import { runInit } from './run-init.ts';

// `npm run init` works before `npm ci`, so it can't load commander.
process.exitCode = await runInit(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  error: (text) => process.stderr.write(text),
});
