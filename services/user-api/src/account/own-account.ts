import {
  CONFIRMATION_SECONDS,
  formatTimestamp,
  usernameKey,
  type EpochSeconds,
  type operations,
  type OperationResponse,
} from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import { eraseUser, type EraseUserOptions } from '../erasure/erase-user.ts';
import { ownUserError, unknownUserError, type ErasureConfirmation } from '../users/erased-users.ts';

export interface OwnAccountOptions extends EraseUserOptions {
  confirmation: ErasureConfirmation;
  now: () => EpochSeconds;
  onErased: () => void;
}

type Erasure = OperationResponse<typeof operations.eraseMe>;

/**
 * Erases a user with a confirmation, and returns one without. A repeated confirmation completes a call whose response was
 * lost.
 *
 * @throws AppError `not-found` for an unknown user, `forbidden` for an erased one, `invalid` for a confirmation that is expired or of another user
 */
export async function eraseOwnAccount(
  username: string,
  given: string | undefined,
  { confirmation, now, onErased, ...options }: OwnAccountOptions,
): Promise<Erasure> {
  const userKey = usernameKey(username);
  if (given === undefined) {
    if (!(await options.store.users.isKnown(userKey)))
      throw await ownUserError(username, { ...options, ...options.store });
    const expiresAt = now() + CONFIRMATION_SECONDS;
    const created = confirmation.create(userKey, expiresAt);
    return { erased: false, confirmation: created, expiresAt: formatTimestamp(expiresAt) };
  }
  if (!confirmation.isValid(userKey, given, now())) {
    throw new AppError('invalid', 'confirmation must be the one of a call within the last minutes');
  }
  if ((await eraseUser(username, options)) === 'unknown') throw unknownUserError();
  onErased();
  return { erased: true, confirmation: null, expiresAt: null };
}
