import { runAnalystToken } from './analyst-token-command.ts';

process.exitCode = await runAnalystToken(process.argv.slice(2), process.env, {
  out: (text) => process.stdout.write(text),
  error: (text) => process.stderr.write(text),
});
