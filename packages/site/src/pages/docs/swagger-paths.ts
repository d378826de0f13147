import { links } from '../../links.ts';

/** Paths of the files of Swagger UI, which have the names of its package. */
export const swaggerPaths = {
  style: `${links.docs}/swagger-ui.css`,
  script: `${links.docs}/swagger-ui-bundle.js`,
} as const;
