export type ServerName = 'RabbitMQ' | 'MongoDB' | 'InfluxDB';

/** One cell of the permission table: whether a principal may do something to a resource of a server. */
export interface Permission {
  readonly server: ServerName;
  /** Whose user or token it is. */
  readonly principal: string;
  /** Of what sort the resource is; resources of one kind have the same actions. */
  readonly kind: string;
  readonly resource: string;
  readonly action: string;
  readonly isAllowed: boolean;
}

/** Every principal × resource × action of one kind. */
export interface PermissionBlock {
  readonly server: ServerName;
  readonly kind: string;
  readonly principals: readonly string[];
  readonly resources: readonly string[];
  readonly actions: readonly string[];
  readonly isAllowed: (principal: string, resource: string, action: string) => boolean;
}

/** The cells of a block, by principal, then resource, then action. */
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

export const nobody = (): boolean => false;
