import { engineFault } from '@lobbystats/test-kit/docker';
import type { Benchmark, Finding } from '../benchmark.ts';
import { canMeasureProcesses, startProgram } from '../peers/bench-process.ts';
import { areServersConfigured } from '../are-servers-configured.ts';
import type { Cost } from './cost.ts';
import { growthTable, findingsOf, type ScaledCosts } from './growth-table.ts';
import type { Form } from './part.ts';
import type { PartCommand } from './part-main.ts';
import { parts, type PartName } from './parts.ts';

const FACTORS = (process.env['BENCH_GROWTH_SCALES'] ?? '1,3,10').split(',').map(Number);
const FORMS = (process.env['BENCH_GROWTH_FORMS'] ?? 'standalone,distributed,stack').split(',') as Form[];
const PARTS = (process.env['BENCH_GROWTH_PARTS'] ?? Object.keys(parts).join(',')).split(',') as PartName[];

/** Each part at each scale in a process of its own, so that its memory is that of one service. */
export const growth: Benchmark = {
  name: 'growth',
  description: `processor time, memory and disk at ${FACTORS.join(', ')} times the size of the default network`,
  promise: 'a cost grows at most with what changed or is read, and not with what is only stored',
  isLong: true,
  run: async (say) => {
    if (!canMeasureProcesses(say)) return [];
    const hasServers = areServersConfigured(['influxdb', 'mongodb'], (line) => say(`the distributed form is ${line}`));
    const noEngine = await engineFault();
    if (noEngine !== undefined) say(`the stack is skipped: it needs a Docker engine with Compose: ${noEngine}`);
    const isAvailable: Record<Form, boolean> = {
      standalone: true,
      distributed: hasServers,
      stack: noEngine === undefined,
    };
    const findings: Finding[] = [];
    for (const part of PARTS) {
      for (const form of FORMS.filter((one) => parts[part].forms.includes(one) && isAvailable[one])) {
        const scaled: ScaledCosts[] = [];
        for (const factor of FACTORS) scaled.push({ factor, costs: await measurePart({ part, form, factor }) });
        say(`${part}, ${form}`);
        for (const line of growthTable(scaled)) say(line);
        findings.push(...findingsOf(`${part}, ${form}`, scaled));
      }
    }
    return findings;
  },
};

async function measurePart(command: PartCommand): Promise<Cost[]> {
  await using stack = new AsyncDisposableStack();
  return (await startProgram('../growth/part-main.ts', 'any', stack).request(command)) as Cost[];
}
