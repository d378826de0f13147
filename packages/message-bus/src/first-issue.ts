import type { z } from 'zod';
import { oneLine } from './one-line.ts';

export function firstIssue(error: z.ZodError, root: string): string {
  const [first] = error.issues;
  const path = [root, ...(first?.path ?? [])].map(String).join('.');
  return oneLine(`${path}: ${first?.message ?? 'does not fit'}`);
}
