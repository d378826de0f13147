import type { ServerResponse } from 'node:http';
import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip, type BrotliOptions } from 'node:zlib';
import type { Operation } from '@lobbystats/contracts';
import type { Request } from 'express';
import Negotiator from 'negotiator';
import type { ServedResponse } from '../cache/cache-request.ts';
import {
  EncodedBodies,
  matchesTag,
  type Compress,
  type ContentCoding,
  type EncodedBody,
} from '../cache/encoded-bodies.ts';
import type { ResponseCache } from '../cache/response-cache.ts';
import { streamResponse } from './stream-response.routes.ts';

export interface SendOptions {
  readonly operation: OperationPolicy;
  readonly response: ServedResponse;
  readonly hasSession: boolean;
  /** Default: the one that the client prefers. */
  readonly encoding?: ContentCoding;
}

/** GETs without a session get validators and 304. */
export async function sendResponse(
  req: Request,
  res: ServerResponse,
  cache: ResponseCache,
  { operation, response, hasSession, encoding = preferredEncoding(req.headers['accept-encoding']) }: SendOptions,
): Promise<void> {
  const isPublic = operation.method === 'GET' && !hasSession;
  const headersOf = (tag: string | undefined) =>
    isPublic ? publicHeaders(operation, response, tag) : privateHeaders(operation, response, hasSession);
  const { 'if-none-match': ifNoneMatch } = req.headers;
  const isNotModified = (tag: string | undefined) =>
    isPublic && ifNoneMatch !== undefined && tag !== undefined && matchesTag(ifNoneMatch, tag);
  const { key, body: given } = response;
  if (!(given instanceof EncodedBodies)) {
    const headersOfBody = (length: number | undefined) => bodyHeaders(response, encoding, length);
    const compression = () => compressionStreams(encoding);
    await streamResponse(req, res, given, { encoding, compression, headersOf, headersOfBody, isNotModified });
    return;
  }
  const body = given.ready(encoding) ?? (await cache.encodedBody({ key, body: given }, encoding));
  const headers = headersOf(body.tag);
  if (isNotModified(body.tag)) {
    res.writeHead(304, headers).end();
    return;
  }
  res.writeHead(200, [...headers, ...bodyHeaders(response, body.encoding, body.bytes.length)]);
  endResponse(res, body);
}

export function endResponse(res: ServerResponse, body?: EncodedBody): void {
  if (body?.text === undefined) res.end(body?.bytes);
  else res.end(body.text, 'latin1');
}

export interface OperationPolicy extends Pick<Operation, 'method' | 'session'> {
  /** For one reader, who may keep the response and asks whether it is current. Default: false. */
  readonly isPrivate?: boolean;
}

/** Names and values in turn: the form that Node writes fastest. */
export type FlatHeaders = string[];

/** Headers for 200 and 304, without those of the body. */
export function publicHeaders(operation: OperationPolicy, info: ServedResponse, tag: string | undefined): FlatHeaders {
  const flat = ['Vary', varyHeader(operation), 'Cache-Control', cacheControlHeader(operation, info)];
  flat.push('Cache-Status', info.status);
  if (tag !== undefined) flat.push('ETag', tag);
  for (const name in info.headers) if (!BODY_HEADERS.has(name)) flat.push(name, info.headers[name] ?? '');
  if (info.ageSeconds !== undefined) flat.push('Age', String(info.ageSeconds));
  return flat;
}

function privateHeaders(operation: OperationPolicy, info: ServedResponse, hasSession: boolean): FlatHeaders {
  const cacheControl = hasSession ? 'private, no-store' : 'no-store';
  const { Link } = info.headers;
  const flat = ['Cache-Control', cacheControl, 'Cache-Status', info.status, 'Vary', varyHeader(operation)];
  return Link === undefined ? flat : [...flat, 'Link', Link];
}

export function bodyHeaders(
  { headers }: ServedResponse,
  encoding: ContentCoding,
  length: number | undefined,
): FlatHeaders {
  const flat: FlatHeaders = length === undefined ? [] : ['Content-Length', String(length)];
  for (const name in headers) if (BODY_HEADERS.has(name)) flat.push(name, headers[name] ?? '');
  if (encoding !== 'identity') flat.push('Content-Encoding', encoding);
  return flat;
}

const BODY_HEADERS: ReadonlySet<string> = new Set(['Content-Type', 'Content-Disposition']);

function varyHeader({ session }: OperationPolicy): string {
  return session === 'optional' ? 'Accept-Encoding, X-Session-Key' : 'Accept-Encoding';
}

function cacheControlHeader({ isPrivate = false }: OperationPolicy, { maxAgeSeconds }: ServedResponse): string {
  if (isPrivate) return 'private, no-cache';
  return maxAgeSeconds === undefined ? 'public, max-age=0, must-revalidate' : `public, max-age=${maxAgeSeconds}`;
}

/** In order of preference among equal weights. */
export const contentCodings: ContentCoding[] = ['br', 'gzip', 'identity'];
/** Longer than any header of browsers and libraries: not parsed. */
const HEADER_LENGTH_MAX = 500;

/**
 * The content coding that a client prefers, RFC 9110 section 12.5.3. A client that accepts none gets `identity`.
 *
 * @param accepted the header `Accept-Encoding`; undefined if absent
 */
export function preferredEncoding(accepted: string | undefined): ContentCoding {
  if (accepted === undefined || accepted.length > HEADER_LENGTH_MAX) return 'identity';
  // `x-gzip` is an alias of gzip, RFC 9110 section 8.4.1.3.
  const headers = { 'accept-encoding': accepted.replace(/\bx-gzip\b/gi, 'gzip') };
  const negotiator: EncodingNegotiator = new Negotiator({ headers });
  const [preferred = 'identity'] = negotiator.encodings(contentCodings, { preferred: contentCodings });
  return preferred as ContentCoding;
}

interface EncodingNegotiator {
  encodings(available: string[], options: { preferred: readonly string[] }): string[];
}

const gzipAsync = promisify(gzip);
const brotliAsync = promisify(brotliCompress);

/** Smaller than gzip in the same time. */
const BROTLI_QUALITY = 5;

export const compress = compressWith(BROTLI_QUALITY);

/** For what is compressed once per release: 6% smaller, in thirty times the time. */
export const compressFully = compressWith(constants.BROTLI_MAX_QUALITY);

function compressWith(quality: number): Compress {
  return (coding, bytes) =>
    coding === 'gzip' ? gzipAsync(bytes) : brotliAsync(bytes, brotliOptions(bytes.length, quality));
}

/** Transforms for a streaming body; none for `identity`. */
function compressionStreams(encoding: ContentCoding): Transform[] {
  if (encoding === 'identity') return [];
  return [encoding === 'gzip' ? createGzip() : createBrotliCompress(brotliOptions(0))];
}

/** @param sizeHint in bytes; 0: unknown */
function brotliOptions(sizeHint: number, quality = BROTLI_QUALITY): BrotliOptions {
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants;
  return { params: { [BROTLI_PARAM_QUALITY]: quality, [BROTLI_PARAM_SIZE_HINT]: sizeHint } };
}
