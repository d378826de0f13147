import { eventually } from '@lobbystats/test-kit';
import { allDrills } from '../drills/all-drills.ts';
import { tableRow } from '../drills/report.ts';
import { runDrill } from '../drills/run-drill.ts';
import { stackStage, type StackStage } from '../drills/stages/stack-stage.ts';
import { compose, expectBackfilled } from './stack.ts';

const shortDrills = allDrills().filter(({ isShort }) => isShort === true);

let stage: StackStage;

beforeAll(async () => {
  await compose('up', '-d', '--wait', '--no-recreate');
  // Drills compare the memory of services, which grows during a backfill.
  await eventually(expectBackfilled, { timeoutMs: 400_000, everyMs: 2000 });
  stage = await stackStage(JSON.parse(String(process.env['TEST_STACK'])) as string[]);
}, 700_000);

afterAll(() => stage.close());

it.each(shortDrills.map((drill) => [drill.number, drill.name, drill] as const))(
  'the stack passes drill %i: %s',
  async (_number, _name, drill) => {
    const open = () => Promise.resolve(stage);
    const result = await runDrill(drill, { either: open, stack: open });
    expect({ ...result, seen: tableRow(result) }).toMatchObject({ verdict: 'passed', faults: [] });
  },
  300_000,
);
