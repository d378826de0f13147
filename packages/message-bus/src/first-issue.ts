import type { z } from 'zod';
import { oneLine } from './one-line.ts';

/** The first thing that a schema has against a value, in one line: `data.titles.3.name: …`. */
export function firstIssue(error: z.ZodError, root: string): string {
  const [first] = error.issues;
  const path = [root, ...(first?.path ?? [])].map(String).join('.');
  return oneLine(`${path}: ${first?.message ?? 'does not fit'}`);
}
