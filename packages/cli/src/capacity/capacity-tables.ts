import { capacityOf, type Capacity } from './capacity.ts';
import { timesDefault } from './network-size.ts';
import { unitCosts } from './unit-costs.ts';

type Row = readonly string[];

/** The first row is the head. */
export type Table = readonly Row[];

const FACTORS = [1, 10, 100];

/** The tables of docs/capacity.md by name. */
export function documentTables(): Readonly<Record<'unit-costs' | 'summary' | `resources-${string}`, Table>> {
  const all = FACTORS.map((factor) => ({ factor, capacity: capacityOf(timesDefault(factor)) }));
  const resources = all.map(({ factor, capacity }) => [`resources-${factor}`, resourceTable(capacity)] as const);
  return { 'unit-costs': unitCostTable(), summary: summaryTable(all), ...Object.fromEntries(resources) };
}

export function resourceTable({ resources }: Capacity): Table {
  return [
    ['Resource', 'Replicas', 'Processor time', 'Memory', 'Disk after a month'],
    ...resources.map(({ name, replicas, processors, memoryMb, diskMb }) => [
      ...[name, String(replicas), `${(100 * processors).toFixed(1)} %`, megabytes(memoryMb)],
      diskMb === 0 ? '' : megabytes(diskMb),
    ]),
  ];
}

export function summaryOf({ requests, limiting, machines, size }: Capacity): readonly (readonly [string, string])[] {
  return [
    ['Requests to the network', `${requests.neededPerSecond.toFixed(1)}/s needed, ${size.maxRps}/s allowed`],
    ['Leaderboards read in an hour', percent(requests.boardShare)],
    [
      'A slot is read in',
      `${requests.slotSeconds.toFixed(0)} s${requests.isSlotComplete ? '' : ': too long, titles are missing'}`,
    ],
    ['Limiting', `${limiting.name} (${percent(limiting.share)} of the limit)`],
    ['Machines (4 processors, 16 GB)', String(machines)],
  ];
}

function summaryTable(all: readonly { factor: number; capacity: Capacity }[]): Table {
  const summaries = all.map(({ capacity }) => summaryOf(capacity));
  const names = summaries[0]?.map(([name]) => name) ?? [];
  return [
    ['', ...all.map(({ factor }) => `${factor}x`)],
    ...names.map((name, index) => [name, ...summaries.map((summary) => summary[index]?.[1] ?? '')]),
  ];
}

function unitCostTable(): Table {
  return [
    ['Cost', 'Value', 'For each', 'Measured at'],
    ...Object.entries(unitCosts).map(([name, { value, unit, per, measuredAt }]) => [
      ...[`\`${name}\``, `${value} ${unit}`, per, measuredAt],
    ]),
  ];
}

function megabytes(mb: number): string {
  return mb >= 1000 ? `${(mb / 1000).toFixed(1)} GB` : `${mb.toFixed(0)} MB`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`;
}
