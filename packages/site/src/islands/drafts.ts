/** The input of a user that was not stored when the session ended. Its form shows it again in this tab, to that user. */
interface Draft {
  readonly user: string;
  readonly value: unknown;
}

const keyOf = (form: string) => `draft:${form}`;

/** @param value as JSON */
export function keepDraft(form: string, user: string, value: unknown): void {
  try {
    sessionStorage.setItem(keyOf(form), JSON.stringify({ user, value } satisfies Draft));
  } catch {
    // Storage may be denied.
  }
}

/** Removes and returns the draft; undefined if there is none of this user. @param Value as it was kept */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters
export function takeDraft<Value>(form: string, user: string): Value | undefined {
  try {
    const text = sessionStorage.getItem(keyOf(form));
    const draft = text === null ? undefined : (JSON.parse(text) as Draft);
    if (draft?.user !== user) return undefined;
    sessionStorage.removeItem(keyOf(form));
    return draft.value as Value;
  } catch {
    return undefined;
  }
}

export const DRAFT_NOTICE = 'What you had typed is here again. It is not stored yet.';
