import process from 'node:process';
import { runInit } from './env-file.ts';

// `npm run init` works before `npm ci`, so it can't load commander.
const [file, ...others] = process.argv.slice(2);
const isHelp = file === '--help' || file === '-h';
if (isHelp || file?.startsWith('-') === true || others.length > 0) {
  const usage = 'npm run init [-- FILE]: adds the missing secrets of a deployment to FILE (default: .env)\n';
  (isHelp ? process.stdout : process.stderr).write(usage);
  process.exitCode = isHelp ? 0 : 2;
} else {
  process.exitCode = await runInit(
    { terminal: { out: (text) => process.stdout.write(text), error: (text) => process.stderr.write(text) } },
    file,
  );
}
