import { PageNotUnderstoodError, sampleOf } from './page-failures.ts';
import { expectBody } from './html-response.http.ts';
import type { HttpResponse } from './rate-limited-client.http.ts';

export function jsonBodyOf(answer: HttpResponse, isConditional: boolean): Buffer | undefined {
  const body = expectBody(answer, isConditional);
  const type = (answer.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (body !== undefined && !/^(?:application|text)\/(?:[\w.-]+\+)?json$/.test(type)) {
    throw new PageNotUnderstoodError(`it is not JSON but "${type.slice(0, 60)}"`, {
      sample: sampleOf(body.toString()),
    });
  }
  return body;
}
