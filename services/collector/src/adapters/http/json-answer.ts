import { PageNotUnderstoodError, sampleOf } from '../../domain/page-failures.ts';
import { expectBody } from './html-answer.ts';
import type { Answer } from './polite-client.ts';

/** The text of a feed, or undefined where it is unchanged. */
export function jsonTextOf(answer: Answer, isConditional: boolean): string | undefined {
  const text = expectBody(answer, isConditional);
  const type = (answer.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (text !== undefined && !/^(?:application|text)\/(?:[\w.-]+\+)?json$/.test(type)) {
    throw new PageNotUnderstoodError(`it is no JSON but "${type.slice(0, 60)}"`, sampleOf(text));
  }
  return text;
}
