import { repeatableProperties } from '@lobbystats/test-kit';
import fc from 'fast-check';

function casesOf({ assert }: typeof fc, numRuns?: number): number[] {
  const cases: number[] = [];
  const property = fc.property(fc.nat(), (one) => void cases.push(one));
  assert(property, numRuns === undefined ? undefined : { numRuns });
  return cases;
}

it('the properties of a suite have the same cases in every run', () => {
  expect(casesOf(fc)).toEqual(casesOf(fc));
});

it('FUZZ_SEED draws other cases, and FUZZ_RUNS multiplies their number', () => {
  const [usual, more, other] = [{}, { FUZZ_RUNS: '3' }, { FUZZ_SEED: '2' }].map((env) =>
    casesOf(repeatableProperties(jest.requireActual<{ default: typeof fc }>('fast-check').default, env), 40),
  );
  expect(more?.slice(0, 40)).toEqual(usual);
  expect([usual, more, other].map((cases) => cases?.length)).toEqual([40, 120, 40]);
  expect(other).not.toEqual(usual);
});
