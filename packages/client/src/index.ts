export { createClient, type Client, type ClientOptions } from './create-client.ts';
export { ApiError, ConnectionError } from './errors.ts';
export type * from './generated/models.ts';
export type { StreamData } from './generated/stream.ts';
export type { ApiResponse, BodyOf, CallOptions, InputOf, OperationId } from './types.ts';
