import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { AppError } from '@lobbystats/errors';
import { HttpProblem, labelOperation, methodNotAllowed, readBytes } from '@lobbystats/service-kit';
import { NoTurn, type Turns } from '../domain/turns.ts';
import type { CountQuestion } from '../question-metrics.ts';
import { askInflux } from './ask-influx.ts';

export interface QuestionParts {
  influxUrl: string;
  turns: Turns;
  waitMs: number;
  timeoutMs: number;
  count: CountQuestion;
}

/** InfluxDB's query endpoints; nothing else passes. */
const PATHS = /^\/(?:api\/v2\/)?query$/;
const OF_CONNECTION = ['connection', 'keep-alive', 'transfer-encoding'];
const LEEWAY_MS = 5000;
const METHODS = ['GET', 'POST'];
const refuseMethod = methodNotAllowed(METHODS);

export function answerQuestions(parts: QuestionParts) {
  return async (req: IncomingMessage, res: ServerResponse, next: () => void): Promise<void> => {
    const { method = '', url = '' } = req;
    const [path = ''] = url.split('?', 1);
    if (!PATHS.test(path)) {
      next();
      return;
    }
    labelOperation(res, 'question');
    if (METHODS.includes(method)) await answerQuestion(req, res, parts);
    else refuseMethod(req, res);
  };
}

async function answerQuestion(req: IncomingMessage, res: ServerResponse, parts: QuestionParts): Promise<void> {
  const { method = '', url = '', headers } = req;
  const { turns, influxUrl, waitMs, timeoutMs, count } = parts;
  // The connection is silent until the query is answered.
  res.setTimeout(waitMs + timeoutMs + LEEWAY_MS);
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  const body = await readBytes(req);
  const asked = performance.now();
  const end = await turns.take(whoAsks(headers), gone.signal).catch((error: unknown) => {
    if (!(error instanceof NoTurn)) return undefined;
    count('refused');
    throw new HttpProblem(429, error.message, { 'Retry-After': String(error.seconds) });
  });
  if (end === undefined) return;
  const waitedMs = Math.round(performance.now() - asked);
  const late = AbortSignal.timeout(timeoutMs);
  try {
    const question = { method, url, headers, body };
    const answer = await askInflux(influxUrl, question, AbortSignal.any([gone.signal, late]));
    res.writeHead(answer.status, { ...toldOf(answer.headers), 'Server-Timing': `turn;dur=${waitedMs}` });
    await pipeline(answer.data, res);
    count('answered', end());
  } catch (error) {
    count(gone.signal.aborted ? 'left' : 'failed', end());
    if (gone.signal.aborted) return;
    throw late.aborted ? new HttpProblem(504, 'The question takes too long') : unavailable(error);
  }
}

/** A client id from the Authorization header; the token isn't stored. */
function whoAsks({ authorization = '' }: IncomingHttpHeaders): string {
  return createHash('sha256').update(authorization).digest('base64');
}

/** Hop-by-hop headers stay behind. */
function toldOf(headers: object): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_CONNECTION.includes(name)));
}

function unavailable(cause: unknown): AppError {
  return new AppError('unavailable', 'InfluxDB is unavailable', { cause });
}
