import { ApiError, createClient, type Client } from '@lobbystats/client';
import { clearFieldErrors, showFieldError, type Notice } from './form.ts';
import type { Session } from './island.ts';

let client: Client | undefined;

/** The API with the reader's session, which is sent in a header alone. */
export function apiOf({ auth }: Session): Client {
  client ??= createClient({ baseUrl: location.origin, sessionKey: () => auth.getSessionKey() });
  return client;
}

export interface Attempt {
  readonly session: Session;
  readonly notice: Notice;
  readonly form?: HTMLFormElement;
  /** Fields of errors that name none, by status. */
  readonly fieldOf?: Readonly<Record<number, string>>;
}

/** Runs an action, and shows its failure: beside its field, else in the notice. Never rejects. */
export async function attempt(
  { session: { auth }, notice, form, fieldOf = {} }: Attempt,
  act: () => Promise<void>,
): Promise<void> {
  notice.show('');
  if (form !== undefined) clearFieldErrors(form);
  const wasSignedIn = auth.isLoggedIn();
  try {
    await act();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const status = error instanceof ApiError ? error.status : 0;
    // The auth service decides whether the session has ended.
    if (status === 401) await auth.verifySession();
    // Another tab may have signed out meanwhile.
    if (wasSignedIn && !auth.isLoggedIn()) notice.warn('Your session has ended. Please sign in again.');
    else if (form === undefined || !isShown(form, message, fieldOf[status])) notice.warn(message);
  }
}

/** Errors of the API begin with the path of their field: `bio must be …`, `quietHours.from must be …`. */
function isShown(form: HTMLFormElement, message: string, fallback: string | undefined): boolean {
  const [, name = '', rest = ''] = /^([\w.[\]]+) (.*)$/s.exec(message) ?? [];
  return (
    showFieldError(form, name, plain(rest)) ||
    showFieldError(form, name.split('.').at(-1) ?? '', plain(rest)) ||
    (fallback !== undefined && showFieldError(form, fallback, message))
  );
}

/** Messages of the API speak to programs. */
function plain(message: string): string {
  return message.replace(/, or null$/, '').replace('an integer', 'a whole number');
}

export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

export function isForbidden(error: unknown): boolean {
  return error instanceof ApiError && error.status === 403;
}

/** Whether the reader's data have been erased: writes are then rejected. */
export async function isErased(session: Session): Promise<boolean> {
  try {
    await apiOf(session).getMe();
    return false;
  } catch (error) {
    if (isForbidden(error)) return true;
    if (isNotFound(error)) return false;
    throw error;
  }
}
