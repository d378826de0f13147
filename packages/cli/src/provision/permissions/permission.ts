export type ServerName = 'RabbitMQ' | 'MongoDB' | 'InfluxDB';

export interface Permission {
  readonly server: ServerName;
  readonly principal: string;
  readonly kind: string;
  readonly resource: string;
  readonly action: string;
  readonly isAllowed: boolean;
}

export interface PermissionBlock {
  readonly server: ServerName;
  readonly kind: string;
  readonly principals: readonly string[];
  readonly resources: readonly string[];
  readonly actions: readonly string[];
  readonly isAllowed: (principal: string, resource: string, action: string) => boolean;
}

export function permissionsOf(block: PermissionBlock): Permission[] {
  const { server, kind, principals, resources, actions, isAllowed } = block;
  return principals.flatMap((principal) =>
    resources.flatMap((resource) =>
      actions.map((action) => ({
        ...{ server, principal, kind, resource, action },
        isAllowed: isAllowed(principal, resource, action),
      })),
    ),
  );
}

export const denyAll = (): boolean => false;
