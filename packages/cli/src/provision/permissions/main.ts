import { permissionsPage } from './permission-table.ts';

// Prints who may do what on which server, in Markdown.
process.stdout.write(permissionsPage());
