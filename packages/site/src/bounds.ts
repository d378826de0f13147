import { z } from 'zod';

/** The largest value that a parameter of an operation admits. @throws Error if it has no maximum */
export function maximumOf(parameter: z.ZodType): number {
  const { maximum } = z.toJSONSchema(parameter, { io: 'input', unrepresentable: 'any' });
  if (maximum === undefined) throw new Error('the parameter has no maximum');
  return maximum;
}
