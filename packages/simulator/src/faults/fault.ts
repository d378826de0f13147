import { z } from 'zod';

/** Nothing waits longer than this, so that a forgotten fault does not hold a client for ever. */
const LONGEST_WAIT_MS = 60_000;
const TEN_MINUTES_MS = 600_000;
const TEN_YEARS_MS = 10 * 365 * 86_400_000;

const where = {
  path: z
    .string()
    .max(300)
    .regex(/^(\*|\/.*)$/, "must be '*' or begin with '/'"),
  probability: z.number().min(0).max(1).optional(),
  times: z.int().min(1).max(1_000_000).optional(),
};
const waitMs = (usual: number) => z.int().min(0).max(LONGEST_WAIT_MS).default(usual);

const faultSchema = z.discriminatedUnion('kind', [
  /** The answer comes `ms` later. */
  z.strictObject({ ...where, kind: z.literal('latency'), ms: waitMs(1_000) }),
  /** An error status instead of the page; `retryAfter`, in seconds, becomes the header. */
  z.strictObject({
    ...where,
    kind: z.literal('status'),
    status: z.int().min(400).max(599).default(503),
    retryAfter: z.int().min(0).max(86_400).optional(),
  }),
  /**
   * The body ends early. `cleanly`: the answer looks whole, and only who reads it notices. `abruptly`: less comes than
   * the Content-Length says. When it is left out, chance decides.
   */
  z.strictObject({ ...where, kind: z.literal('truncate'), ends: z.enum(['cleanly', 'abruptly']).optional() }),
  /**
   * Other markup. `harmless`: attributes, classes, quotes and white space change, and what the page says stays.
   * `breaking`: cells, labels, classes or number formats that a reader needs are gone. When left out, chance decides.
   */
  z.strictObject({ ...where, kind: z.literal('markup'), severity: z.enum(['harmless', 'breaking']).optional() }),
  /** No answer for `ms`; then the connection is cut. */
  z.strictObject({ ...where, kind: z.literal('stall'), ms: waitMs(LONGEST_WAIT_MS) }),
  /** A wrong Content-Type over the right body. */
  z.strictObject({ ...where, kind: z.literal('content-type') }),
  /** Page and Date header of the instant that is `ms` away from now; negative is the past. */
  z.strictObject({
    ...where,
    kind: z.literal('clock-skew'),
    ms: z.int().min(-TEN_YEARS_MS).max(TEN_YEARS_MS).default(TEN_MINUTES_MS),
  }),
  /** The connection is cut without an answer. */
  z.strictObject({ ...where, kind: z.literal('close') }),
]);

/** What a PUT of the list of faults carries. */
export const faultsBodySchema = z.strictObject({ faults: z.array(faultSchema).max(100) });

/** One fault on demand: where it strikes, how often, and what it does. */
export type Fault = z.output<typeof faultSchema>;
