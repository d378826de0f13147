import type { Permission } from '../../services/provision/src/permissions/permission.ts';

export type Attempt = Pick<Permission, 'principal' | 'kind' | 'resource' | 'action'>;

/** Tries what cells of the permission table describe, as the principal that each names. */
export interface Attempts {
  /**
   * Resolves to whether the server let it happen.
   *
   * @throws Error when it failed for another reason than a missing right
   */
  isAllowed(attempt: Attempt): Promise<boolean>;
  close(): Promise<void>;
}

/** A cell in words, with what is true of it. */
export function described({ principal, kind, resource, action }: Attempt, isAllowed: boolean): string {
  return `${principal} ${isAllowed ? 'may' : 'may not'} ${action}: ${kind} ${resource}`;
}
