#!/usr/bin/env node
import process from 'node:process';
import { runCli } from './run-cli.ts';

// A reader may end early, as `head` does.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

process.exitCode = await runCli(process.argv.slice(2), {
  env: process.env,
  clock: Date.now,
  terminal: {
    out: (text) => process.stdout.write(text),
    error: (text) => process.stderr.write(text),
  },
});
