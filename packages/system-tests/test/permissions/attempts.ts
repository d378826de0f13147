import type { Permission } from '@lobbystats/cli/permission';

export type Attempt = Pick<Permission, 'principal' | 'kind' | 'resource' | 'action'>;

/** Attempts the actions of the permission table as their principals. */
export interface Attempts {
  /**
   * Resolves to whether the server allowed the action.
   *
   * @throws Error when it failed for another reason than missing permission
   */
  isAllowed(attempt: Attempt): Promise<boolean>;
  close(): Promise<void>;
}

/** Describes an attempt and its result. */
export function describeAttempt({ principal, kind, resource, action }: Attempt, isAllowed: boolean): string {
  return `${principal} ${isAllowed ? 'may' : 'may not'} ${action}: ${kind} ${resource}`;
}
