import type { Request } from 'express';
import type { z } from 'zod';

import { describeIssues, ControlApiError } from './control-api-error.ts';

export function readBody<Schema extends z.ZodType>(request: Request, schema: Schema): z.output<Schema> {
  if (request.is('application/json') === false) throw new ControlApiError(415, 'the body must be application/json');
  const result = schema.safeParse(request.body);
  if (!result.success) throw new ControlApiError(400, describeIssues(result.error));
  return result.data;
}
