import { PageNotUnderstoodError, sampleOf } from '../../domain/page-failures.ts';
import { expectBody } from './html-answer.ts';
import type { Answer } from './polite-client.ts';

export function jsonBodyOf(answer: Answer, isConditional: boolean): Buffer | undefined {
  const body = expectBody(answer, isConditional);
  const type = (answer.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (body !== undefined && !/^(?:application|text)\/(?:[\w.-]+\+)?json$/.test(type)) {
    throw new PageNotUnderstoodError(`it is no JSON but "${type.slice(0, 60)}"`, { sample: sampleOf(body.toString()) });
  }
  return body;
}
