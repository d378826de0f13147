import { getJson } from '@lobbystats/test-kit';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

/** A JSON Schema of the document. */
export type Schema = Readonly<Record<string, unknown>>;

export interface DocumentedParameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
  readonly example?: unknown;
}

interface DocumentedAnswer {
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

interface DocumentedOperation {
  readonly operationId: string;
  readonly parameters?: readonly DocumentedParameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<Record<string, DocumentedAnswer>>;
}

interface ServedDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
}

/** One way to ask for something, as the document tells of it. */
export interface Asked {
  readonly method: string;
  /** With `{name}` for a parameter. */
  readonly path: string;
  readonly parameters: readonly DocumentedParameter[];
  readonly body: Schema | undefined;
}

/** What came back, as far as a document can tell of it. */
export interface Returned {
  readonly status: number;
  readonly type: string | null;
  readonly hasHeader: (name: string) => boolean;
  readonly text: string;
}

/** The OpenAPI document that a gateway serves, as a client reads it that knows nothing else. */
export class FuzzDocument {
  readonly asked: readonly Asked[];
  readonly #document: ServedDocument;
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: false });
  readonly #validators = new Map<string, ValidateFunction>();

  constructor(document: ServedDocument) {
    this.#document = document;
    this.#ajv.addSchema({ $id: 'document', ...document });
    this.asked = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { parameters = [], requestBody }]) => ({
        method: method.toUpperCase(),
        path,
        parameters,
        body: requestBody?.content['application/json']?.schema,
      })),
    );
  }

  /** What a reference within the document stands for. */
  resolve(schema: Schema): Schema {
    const { $ref } = schema;
    return typeof $ref === 'string' ? this.resolve(this.#at($ref) as Schema) : schema;
  }

  /** What of an answer the document doesn't tell of, a sentence each. */
  faultsOf({ method, path }: Asked, returned: Returned): string[] {
    const { status, type, text, hasHeader } = returned;
    const documented = this.#document.paths[path]?.[method.toLowerCase()]?.responses[status];
    if (documented === undefined) return [`${status} is not documented`];
    const { headers = {}, content = {} } =
      documented.$ref === undefined ? documented : (this.#at(documented.$ref) as DocumentedAnswer);
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
    const validate = this.#validators.get(key) ?? this.#ajv.compile(absolute(schema));
    this.#validators.set(key, validate);
    if (validate(JSON.parse(text))) return [];
    return (validate.errors ?? []).slice(0, 3).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`);
  }

  #at(reference: string): unknown {
    const steps = reference.replace(/^#\//, '').split('/');
    return steps.reduce<unknown>(
      (place, step) => (place as Record<string, unknown>)[step.replaceAll('~1', '/').replaceAll('~0', '~')],
      this.#document,
    );
  }
}

/** Reads the document from where it is served. */
export async function readDocument(url: string): Promise<FuzzDocument> {
  const { status, body } = await getJson<ServedDocument>(`${url}/api/openapi.json`);
  expect(status).toBe(200);
  return new FuzzDocument(body);
}

/** References within a schema that is compiled apart from the document lead into it. */
function absolute(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document#/')) as Schema;
}
