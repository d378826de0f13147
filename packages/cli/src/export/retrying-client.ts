import { ApiError, createClient, type BodyOf, type InputOf, type OperationId } from '@lobbystats/client/source';
import pRetry from 'p-retry';

/** A client that repeats requests which failed for a passing reason, for about a minute. */
export interface RetryingClient {
  call<Id extends OperationId, const Input extends InputOf<Id>>(id: Id, input: Input): Promise<BodyOf<Id, Input>>;
  /** Resolves to undefined for a 404. */
  callIfFound<Id extends OperationId, const Input extends InputOf<Id>>(
    id: Id,
    input: Input,
  ): Promise<BodyOf<Id, Input> | undefined>;
}

export function retryingClient(baseUrl: string): RetryingClient {
  const client = createClient({ baseUrl, retries: 0 });
  const call: RetryingClient['call'] = async (id, input) => {
    const { body } = await pRetry(() => client.request(id, input), {
      retries: 6,
      minTimeout: 1000,
      shouldRetry: ({ error }) => !(error instanceof ApiError) || error.status === 429 || error.status >= 500,
    });
    return body;
  };
  return {
    call,
    callIfFound: async (id, input) => {
      try {
        return await call(id, input);
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return undefined;
        throw error;
      }
    },
  };
}
