import { z } from 'zod';

const MAX_DELAY_MS = 60_000;
const TEN_MINUTES_MS = 600_000;
const TEN_YEARS_MS = 10 * 365 * 86_400_000;

const faultScope = {
  path: z
    .string()
    .max(300)
    .regex(/^(\*|\/.*)$/, "must be '*' or begin with '/'"),
  probability: z.number().min(0).max(1).optional(),
  times: z.int().min(1).max(1_000_000).optional(),
};
const delayMs = (usual: number) => z.int().min(0).max(MAX_DELAY_MS).default(usual);

const faultSchema = z.discriminatedUnion('kind', [
  z.strictObject({ ...faultScope, kind: z.literal('latency'), ms: delayMs(1_000) }),
  z.strictObject({
    ...faultScope,
    kind: z.literal('status'),
    status: z.int().min(400).max(599).default(503),
    retryAfter: z.int().min(0).max(86_400).optional(),
  }),
  /** `cleanly`: Content-Length fits. `abruptly`: less than promised. Default: by chance. */
  z.strictObject({ ...faultScope, kind: z.literal('truncate'), ends: z.enum(['cleanly', 'abruptly']).optional() }),
  /** `harmless`: the facts stay. `breaking`: needed cells or labels are gone. Default: by chance. */
  z.strictObject({ ...faultScope, kind: z.literal('markup'), severity: z.enum(['harmless', 'breaking']).optional() }),
  z.strictObject({ ...faultScope, kind: z.literal('stall'), ms: delayMs(MAX_DELAY_MS) }),
  z.strictObject({ ...faultScope, kind: z.literal('content-type') }),
  z.strictObject({
    ...faultScope,
    kind: z.literal('clock-skew'),
    ms: z.int().min(-TEN_YEARS_MS).max(TEN_YEARS_MS).default(TEN_MINUTES_MS),
  }),
  z.strictObject({ ...faultScope, kind: z.literal('close') }),
]);

export const faultsBodySchema = z.strictObject({ faults: z.array(faultSchema).max(100) });

export type Fault = z.output<typeof faultSchema>;
