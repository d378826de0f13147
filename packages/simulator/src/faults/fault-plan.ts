import type { Fault } from './fault.ts';

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
  contentType?: FaultOf<'content-type'>;
}

export const NO_FAULTS: FaultPlan = { latencyMs: 0, skewMs: 0, chance: 0 };

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
    case 'markup':
      return { markup: fault, ...plan };
  }
}
