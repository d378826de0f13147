import { getJson } from '@lobbystats/test-kit';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

/** A JSON Schema in the OpenAPI document. */
export type Schema = Readonly<Record<string, unknown>>;

export interface DocumentedParameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
  readonly example?: unknown;
}

interface DocumentedResponse {
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

interface DocumentedOperation {
  readonly operationId: string;
  readonly parameters?: readonly DocumentedParameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<Record<string, DocumentedResponse>>;
}

interface ServedDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
}

/** A documented operation with its parameters and body schema. */
export interface DocumentedRequest {
  readonly method: string;
  /** With `{name}` for a parameter. */
  readonly path: string;
  readonly parameters: readonly DocumentedParameter[];
  readonly body: Schema | undefined;
}

/** The parts of a response that the document describes. */
export interface FuzzResponse {
  readonly status: number;
  readonly type: string | null;
  readonly hasHeader: (name: string) => boolean;
  readonly text: string;
}

/** The OpenAPI document of a gateway, as read by a client without other knowledge. */
export class FuzzDocument {
  readonly requests: readonly DocumentedRequest[];
  readonly #document: ServedDocument;
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: false });
  readonly #validators = new Map<string, ValidateFunction>();

  constructor(document: ServedDocument) {
    this.#document = document;
    this.#ajv.addSchema({ $id: 'document', ...document });
    this.requests = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { parameters = [], requestBody }]) => ({
        method: method.toUpperCase(),
        path,
        parameters,
        body: requestBody?.content['application/json']?.schema,
      })),
    );
  }

  /** Resolves a reference within the document. */
  resolve(schema: Schema): Schema {
    const { $ref } = schema;
    return typeof $ref === 'string' ? this.resolve(this.#at($ref) as Schema) : schema;
  }

  /** Deviations of a response from the document. */
  faultsOf({ method, path }: DocumentedRequest, returned: FuzzResponse): string[] {
    const { status, type, text, hasHeader } = returned;
    const documented = this.#document.paths[path]?.[method.toLowerCase()]?.responses[status];
    if (documented === undefined) return [`${status} is not documented`];
    const { headers = {}, content = {} } =
      documented.$ref === undefined ? documented : (this.#at(documented.$ref) as DocumentedResponse);
    const missing = Object.entries(headers)
      .filter(([name, header]) => this.resolve(header as Schema)['required'] === true && !hasHeader(name))
      .map(([name]) => `there is no ${name}`);
    if (text === '') return missing;
    const mediaType = Object.keys(content).find((one) => one.split(';')[0] === type?.split(';')[0]);
    if (mediaType === undefined) return [...missing, `${type} is not documented`];
    const schema = content[mediaType]?.schema;
    if (schema === undefined || !mediaType.startsWith('application/json')) return missing;
    return [...missing, ...this.#faultsOfJson(schema, text)];
  }

  #faultsOfJson(schema: Schema, text: string): string[] {
    const key = JSON.stringify(schema);
    const validate = this.#validators.get(key) ?? this.#ajv.compile(withAbsoluteReferences(schema));
    this.#validators.set(key, validate);
    if (validate(JSON.parse(text))) return [];
    return (validate.errors ?? []).slice(0, 3).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`);
  }

  #at(reference: string): unknown {
    const steps = reference.replace(/^#\//, '').split('/');
    return steps.reduce<unknown>(
      (node, step) => (node as Record<string, unknown>)[step.replaceAll('~1', '/').replaceAll('~0', '~')],
      this.#document,
    );
  }
}

/** Fetches the document from a gateway. */
export async function readDocument(url: string): Promise<FuzzDocument> {
  const { status, body } = await getJson<ServedDocument>(`${url}/api/openapi.json`);
  expect(status).toBe(200);
  return new FuzzDocument(body);
}

/** Makes references absolute, because the schema is compiled separately from the document. */
function withAbsoluteReferences(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document#/')) as Schema;
}
