export { createClient, type Client, type ClientOptions } from './create-client.ts';
export { ApiError, ConnectionError } from './errors.ts';
export type * from './generated/models.ts';
export type { StreamData } from './generated/stream.ts';
export { createResponseCache, type CachedResponse, type ResponseCache } from './response-cache.ts';
export type { StreamEvent, StreamOptions, StreamTopic } from './stream-events.ts';
export { verifyWebhook, WebhookError, type WebhookHeaders, type WebhookMessage } from './verify-webhook.ts';
export type { ApiResponse, BodyOf, CallOptions, InputOf, ItemOf, OperationId, PagedOperationId } from './types.ts';
