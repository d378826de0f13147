export { openApiDocument, readDocument, type DocumentOptions } from './open-api-document.ts';
export type { OpenApiDocument, OperationObject, Parameter, PathItem, Response } from './document-types.ts';
export { EXAMPLES_FILE, readExamples, type OperationExample, type Examples } from './examples.ts';
