import { hasCode } from '@lobbystats/contracts/errors';

/** The API's objection to an input, beside the field that it is about. */
export interface InputFault {
  /** Name of the form's field; undefined if it is about none of them. */
  readonly field: string | undefined;
  readonly message: string;
}

/** An answer, undefined while its upstream is unavailable; or the objection. */
export type Outcome<Found> =
  | { readonly response: Found | undefined; readonly fault?: undefined }
  | { readonly response?: undefined; readonly fault: InputFault };

/**
 * @param fieldOf the form's field for the parameter that a message begins with, or for `''` if the thing that one of
 * them names does not exist
 */
export async function outcomeOf<Found>(
  asked: Promise<Found | undefined>,
  fieldOf: (parameter: string) => string | undefined,
): Promise<Outcome<Found>> {
  try {
    return { response: await asked };
  } catch (error) {
    if (hasCode(error, 'not-found')) return { fault: { field: fieldOf(''), message: error.message } };
    if (!hasCode(error, 'invalid')) throw error;
    const [parameter = ''] = /^[\w[\].]+/.exec(error.message) ?? [];
    return { fault: { field: fieldOf(parameter), message: error.message } };
  }
}
