import { z } from 'zod';
import { imageForms } from './hostile-images.ts';

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
  /** Only the homepage has a list of titles. */
  z.strictObject({ ...faultScope, kind: z.literal('titles'), count: z.int().min(1).max(50_000).default(750) }),
  /** Only icons are images. */
  z.strictObject({ ...faultScope, kind: z.literal('image'), form: z.enum(imageForms).default('huge') }),
  z.strictObject({ ...faultScope, kind: z.literal('close') }),
]);

export const faultsBodySchema = z.strictObject({ faults: z.array(faultSchema).max(100) });

export type Fault = z.output<typeof faultSchema>;

type FaultOf<Kind extends Fault['kind']> = Extract<Fault, { kind: Kind }>;

export interface FaultPlan {
  latencyMs: number;
  skewMs: number;
  chance: number;
  close?: FaultOf<'close'>;
  stall?: FaultOf<'stall'>;
  status?: FaultOf<'status'>;
  truncate?: FaultOf<'truncate'>;
  markup?: FaultOf<'markup'>;
  titles?: FaultOf<'titles'>;
  image?: FaultOf<'image'>;
  contentType?: FaultOf<'content-type'>;
}

export const NO_FAULTS: FaultPlan = { latencyMs: 0, skewMs: 0, chance: 0 };

/** The first fault of a kind counts; latencies add up. */
export function withFault(plan: FaultPlan, fault: Fault): FaultPlan {
  switch (fault.kind) {
    case 'latency':
      return { ...plan, latencyMs: plan.latencyMs + fault.ms };
    case 'clock-skew':
      return plan.skewMs === 0 ? { ...plan, skewMs: fault.ms } : plan;
    case 'content-type':
      return { contentType: fault, ...plan };
    case 'close':
      return { close: fault, ...plan };
    case 'stall':
      return { stall: fault, ...plan };
    case 'status':
      return { status: fault, ...plan };
    case 'truncate':
      return { truncate: fault, ...plan };
    case 'image':
      return { image: fault, ...plan };
    case 'titles':
      return { titles: fault, ...plan };
    case 'markup':
      return { markup: fault, ...plan };
  }
}
