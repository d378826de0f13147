import type { ServerResponse } from 'node:http';

import type { FaultPlan } from '../faults/fault-plan.ts';
import { fraction, mix, pick } from '../world/hash.ts';

const NOT_HTML = ['application/json', 'application/octet-stream', 'text/plain; charset=utf-8'] as const;
const NOT_JSON = ['text/html; charset=utf-8', 'application/octet-stream', 'text/plain; charset=utf-8'] as const;

export function contentTypeOf(contentType: string, plan: FaultPlan): string {
  if (plan.contentType === undefined) return contentType;
  return pick(mix(plan.chance, 3), contentType.startsWith('application/json') ? NOT_JSON : NOT_HTML);
}

export function sendBody(response: ServerResponse, body: Buffer, plan: FaultPlan): void {
  if (plan.truncate === undefined) {
    response.setHeader('Content-Length', String(body.length));
    response.end(body);
    return;
  }
  const sent = body.subarray(0, Math.floor(body.length * (0.15 + 0.75 * fraction(mix(plan.chance, 4)))));
  const isClean = (plan.truncate.ends ?? byChance(plan.chance, 'cleanly', 'abruptly')) === 'cleanly';
  response.setHeader('Content-Length', String(isClean ? sent.length : body.length));
  if (isClean) response.end(sent);
  else response.write(sent, () => response.destroy());
}

export function byChance<T>(chance: number, one: T, other: T): T {
  return fraction(mix(chance, 5)) < 0.5 ? one : other;
}
