import { runDlq } from './dlq-command.ts';

process.exitCode = await runDlq(process.argv.slice(2), process.env, {
  out: (text) => process.stdout.write(text),
  error: (text) => process.stderr.write(text),
});
