import type { IncomingMessage, ServerResponse } from 'node:http';
import { forwarded } from '../domain/cache/cache-status.ts';
import { preferredEncoding } from '../domain/cache/encoding.ts';
import type { GivenAnswer } from '../domain/cache/wanted.ts';
import { chooseFormat } from './formats.ts';
import { LargeFound, type ReadOnce } from './large-found.ts';
import { sendPublic } from './send-answer.ts';
import { sendLarge } from './send-large.ts';
import { typeHeaders, type Understood } from './understood.ts';

export interface LargeRequest {
  readonly found: LargeFound;
  readonly understood: Understood;
  /** Asks for an answer of one's own. */
  readonly ask: () => Promise<GivenAnswer>;
  readonly maxAgeSeconds: number;
}

/** Answers with what was found to be too large to be shared, or with one like it where somebody else has that one. */
export async function answerLarge(req: IncomingMessage, res: ServerResponse, large: LargeRequest): Promise<void> {
  const { found, understood, ask, maxAgeSeconds } = large;
  const { operation, params, query } = understood;
  const answer = found.take() ?? (await ownAnswer(ask));
  if ('given' in answer) {
    sendPublic(
      res,
      operation,
      { given: answer.given, body: answer.given.bodies.identity },
      req.headers['if-none-match'],
    );
    return;
  }
  const { format } = chooseFormat(query);
  await sendLarge(req, res, operation, {
    answer,
    headers: typeHeaders(operation, params, format === 'json' ? undefined : format),
    encoding: preferredEncoding(req.headers['accept-encoding']?.toString()),
    maxAgeSeconds,
    status: forwarded('uri-miss'),
  });
}

/** It may have become a small one. */
async function ownAnswer(ask: () => Promise<GivenAnswer>): Promise<ReadOnce | { given: GivenAnswer }> {
  try {
    return { given: await ask() };
  } catch (error) {
    const answer = error instanceof LargeFound ? error.take() : undefined;
    if (answer === undefined) throw error;
    return answer;
  }
}
