import process from 'node:process';
import type fastCheck from 'fast-check';
import type { Arbitrary, Parameters as RunParameters } from 'fast-check';

type FastCheck = typeof fastCheck;

/** The seed of all that a run of the suites draws: `FUZZ_SEED`, by default 1. */
export function seedOfRun({ FUZZ_SEED = '1' }: Readonly<Record<string, string | undefined>> = process.env): number {
  return Number(FUZZ_SEED);
}

/**
 * fast-check with the same cases in every run: those of a fixed seed, or of `FUZZ_SEED`. `FUZZ_RUNS` multiplies the number of runs of each
 * property.
 */
export function repeatableProperties(
  original: FastCheck,
  env: Readonly<Record<string, string | undefined>> = process.env,
): FastCheck {
  const withSettings = <Values>(own: RunParameters<Values> = {}): RunParameters<Values> => ({
    seed: seedOfRun(env),
    ...own,
    numRuns: repetitions(own.numRuns ?? USUAL_RUNS, env),
  });
  return {
    ...original,
    assert: ((property, own) => original.assert(property, withSettings(own))) as FastCheck['assert'],
    check: ((property, own) => original.check(property, withSettings(own))) as FastCheck['check'],
    string: (constraints = {}) =>
      original.string(constraints.unit === 'binary' ? { ...constraints, unit: codePoint(original) } : constraints),
  };
}

const SURROGATES_FROM = 0xd800;
const SURROGATES = 0x800;

/** Any code point, as fast-check's unit `binary`, which lists all 1.1 million of them first: in a second, and 100 MB. */
function codePoint({ nat }: FastCheck): Arbitrary<string> {
  return nat({ max: 0x10ffff - SURROGATES }).map(
    (index) => String.fromCodePoint(index < SURROGATES_FROM ? index : index + SURROGATES),
    (character) => {
      const [first, ...others] = Array.from(character as string, (each) => each.codePointAt(0) ?? 0);
      if (first === undefined || others.length > 0) throw new Error('not one code point');
      return first < SURROGATES_FROM ? first : first - SURROGATES;
    },
  );
}

/** The default of fast-check. */
const USUAL_RUNS = 100;

/** How often a suite repeats something slow: `FUZZ_RUNS` multiplies `usual`. */
export function repetitions(usual: number, env: Readonly<Record<string, string | undefined>> = process.env): number {
  return usual * Number(env['FUZZ_RUNS'] ?? '1');
}
