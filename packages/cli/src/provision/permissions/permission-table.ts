import { busPermissions } from './bus-permissions.ts';
import { permissionsOf, type Permission, type PermissionBlock, type ServerName } from './permission.ts';
import { databasePermissions, seriesPermissions } from './store-permissions.ts';

const SERVERS: readonly ServerName[] = ['RabbitMQ', 'MongoDB', 'InfluxDB'];

const permissionBlocks: readonly PermissionBlock[] = [...busPermissions, ...databasePermissions, ...seriesPermissions];

export const permissionTable: readonly Permission[] = permissionBlocks.flatMap(permissionsOf);

/** The table in Markdown. A dash means no user; "all" means every user of that server. */
export function permissionsPage(): string {
  return `${SERVERS.flatMap(sectionOf).join('\n')}\n`;
}

function sectionOf(server: ServerName): string[] {
  const blocks = permissionBlocks.filter((block) => block.server === server);
  return [`### ${server}`, '', ...blocks.flatMap((block) => [...tableOf(block), ''])];
}

function tableOf({ kind, resources, actions, principals, isAllowed }: PermissionBlock): string[] {
  const rows = new Map<string, Set<string>>();
  for (const resource of resources) {
    const cells = actions.map((action) => {
      const allowed = principals.filter((principal) => isAllowed(principal, resource, action));
      return allowed.length === 0 ? '–' : allowed.length === principals.length ? 'all' : allowed.join(', ');
    });
    const key = cells.join(' | ');
    rows.set(key, (rows.get(key) ?? new Set()).add(formatResource(resource)));
  }
  return [
    `| ${[capitalize(kind), ...actions].join(' | ')} |`,
    `| ${['', ...actions].map(() => '---').join(' | ')} |`,
    ...Array.from(rows, ([cells, names]) => `| ${[...names].join(', ')} | ${cells} |`),
  ];
}

/** There is a retry queue for each wait. */
function formatResource(resource: string): string {
  const name = resource.replace(/\.retry\.\d+$/, '.retry.*');
  return name.includes(' ') ? name : `\`${name}\``;
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
