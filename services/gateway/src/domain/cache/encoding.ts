/** How a body may be packed on its way to the public, the one preferred first. */
export const encodings = ['br', 'gzip', 'identity'] as const;
export type Encoding = (typeof encodings)[number];
export type Packing = Exclude<Encoding, 'identity'>;

/**
 * The encoding that a caller likes best, RFC 9110 section 12.5.3: the one of the highest weight, among equals the one that
 * packs best. Who takes nothing gets the bytes as they are, which everybody can read.
 *
 * @param accepted `Accept-Encoding`; undefined where there is none
 */
export function preferredEncoding(accepted: string | undefined): Encoding {
  if (accepted === undefined || accepted === '') return 'identity';
  const weights = weightsOf(accepted);
  const others = weights.get('*');
  // What isn't named is not wanted, but for the bytes as they are: those can be had for want of anything better.
  const weightOf = (encoding: Encoding): number =>
    weights.get(encoding) ?? others ?? (encoding === 'identity' ? LEAST : 0);
  return encodings.reduce((best, one) => (weightOf(one) > weightOf(best) ? one : best), ofSome(weightOf));
}

const LEAST = 0.0001;
/** More than browsers and libraries name. */
const NAMES_MAX = 16;

function ofSome(weightOf: (encoding: Encoding) => number): Encoding {
  return encodings.find((one) => weightOf(one) > 0) ?? 'identity';
}

function weightsOf(accepted: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const part of accepted.split(',', NAMES_MAX)) {
    const [name = '', ...parameters] = part.split(';');
    const coding = name.trim().toLowerCase();
    if (coding !== '') weights.set(coding === 'x-gzip' ? 'gzip' : coding, weightIn(parameters));
  }
  return weights;
}

/** A malformed weight is none: the encoding isn't wanted. */
function weightIn(parameters: readonly string[]): number {
  const given = parameters.map((parameter) => parameter.trim()).find((parameter) => /^q\s*=/i.test(parameter));
  if (given === undefined) return 1;
  const value = given.slice(given.indexOf('=') + 1).trim();
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(value) ? Number(value) : 0;
}
