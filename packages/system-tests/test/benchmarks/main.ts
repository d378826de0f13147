import type { Benchmark, Finding } from './benchmark.ts';
import { endpoint } from './endpoint.ts';
import { backfill } from './fill.ts';

const benchmarks: readonly Benchmark[] = [backfill, endpoint];

const help = `npm run bench [-- NAME…]   each benchmark prints a ratio to a peer or a limit of the same run

${benchmarks.map(helpOf).join('\n')}
`;

const positionals = process.argv.slice(2).filter((argument) => argument !== '--help');
const unknown = positionals.filter((name) => !benchmarks.some((benchmark) => benchmark.name === name));
if (process.argv.includes('--help') || unknown.length > 0) {
  process.stdout.write(unknown.length > 0 ? `There is no benchmark ${unknown.join(', ')}.\n\n${help}` : help);
  process.exitCode = unknown.length > 0 ? 2 : 0;
} else {
  const chosen = benchmarks.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  for (const benchmark of chosen) {
    process.stdout.write(`${benchmark.name}: ${benchmark.description}\n  guards: ${benchmark.promise}\n`);
    const findings = await benchmark.run((line) => process.stdout.write(`  … ${line}\n`));
    for (const finding of findings) process.stdout.write(`  ${describe(finding)}\n`);
    if (findings.some(({ ratio, bound }) => ratio > bound)) process.exitCode = 1;
  }
}

function helpOf({ name, description, promise }: Benchmark): string {
  const indent = ' '.repeat(19);
  return `  ${name.padEnd(16)} ${description}\n${indent}guards: ${promise}`;
}

function describe({ what, measured, reference, ratio, bound }: Finding): string {
  const verdict = ratio <= bound ? 'holds' : 'BROKEN';
  return `${what}: ${measured}, against ${reference}: ratio ${ratio.toFixed(2)} (at most ${bound}) ${verdict}`;
}
