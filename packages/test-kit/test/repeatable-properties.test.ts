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

it('texts of any code points are well-formed, have rare characters, and can be shrunk', () => {
  const texts = fc.sample(fc.string({ unit: 'binary' }), { seed: 1, numRuns: 200 });
  expect(texts.every((text) => text.isWellFormed())).toBe(true);
  expect(texts.some((text) => (text.codePointAt(0) ?? 0) > 0xffff)).toBe(true);
  const { counterexample } = fc.check(
    fc.property(fc.string({ unit: 'binary' }), (text) => !/[\u0100-\uffff]/.test(text)),
  );
  expect(counterexample?.[0]).toHaveLength(1);
});
