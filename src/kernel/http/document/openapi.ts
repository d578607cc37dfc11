import { type INestApplication, Injectable } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { PermissionTable, SECURITY_SCHEMES } from '../../auth';
import { StartError } from '../../common';
import { publicUrl, SETTINGS } from '../../config';
import { VALIDATION_STATUS, HTTPValidationError, referencedModels } from '../../validation';
import { RESPONSE_HEADERS, describeHeaders } from './response-headers';
import { addResponses, ERROR_BODY, OAUTH_ERROR_BODY, shapeErrors } from './error-responses';
import { allowOtherResponses, ForwardedOperations, isForwarded } from './forwarded-operations';
import { withSharedParts } from './repeated-parts';
import { closeSchemas, listPermissions, namedSchemas, unwrapSingles } from './schemas';
import { isClosed, type Operation, sharedResponses } from './shared-responses';

type PathItem = OpenAPIObject['paths'][string];
type Schema = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>[string];

/** Requests that the service makes, for `webhooks` of the OpenAPI document; the code that makes them registers them here. */
@Injectable()
export class DeclaredWebhooks {
  private readonly items = new Map<string, PathItem>();
  private readonly named = new Map<string, { readonly of: string; readonly schema: Schema }>();

  /**
   * @param name what the request is called
   * @param item its operation
   * @param schemas the components that it refers to, by name
   * @throws StartError when a component has the name of one of another request
   */
  declare(name: string, item: PathItem, schemas: Readonly<Record<string, Schema>>): void {
    this.items.set(name, item);
    for (const [component, schema] of Object.entries(schemas)) {
      const other = this.named.get(component);
      if (other !== undefined)
        throw new StartError(
          `The document would have one schema ${component} for ${other.of} and ${name}: give one another name.`,
        );
      this.named.set(component, { of: name, schema });
    }
  }

  /** A copy of the requests, by name. */
  all(): Record<string, PathItem> {
    return structuredClone(Object.fromEntries(this.items));
  }

  /** A copy of the components, by name. */
  schemas(): Record<string, Schema> {
    return structuredClone(Object.fromEntries([...this.named].map(([name, { schema }]) => [name, schema])));
  }
}

/** Of the interface; the package has its own (docs/contract.md#versioning). */
const INTERFACE_VERSION = '0.0.1';

const DESCRIPTION = `Runs an organization's conversations with AI coding agents, each in a sandbox.

Send a key in \`X-Access-Token\`; here, give it to **Authorize** once. \`X-Org-Id\` chooses among your
organizations. \`x-permission\` of an operation names what the caller's role has to allow. Invalid requests are
answered 422 with all their errors; any other error has a sentence in \`detail\` and a name in \`code\`.`;

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** What the document says of the groups of operations, by name: a `Record<string, string>` in the order they are shown. */
export const API_TAGS = Symbol('API_TAGS');

/** The document for clients: {@link openApiDocument} with repeated parts moved into its components. */
export function publishedDocument(app: INestApplication): OpenAPIObject {
  return withSharedParts(openApiDocument(app));
}

/** The OpenAPI 3.1 document of the whole service, with the responses that all operations of a kind share. */
export function openApiDocument(app: INestApplication): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setTitle('Organization Conversation Service')
    .setDescription(DESCRIPTION)
    .setVersion(INTERFACE_VERSION)
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addServer(new URL(publicUrl(app.get(SETTINGS))).pathname, 'The service that answers this document.')
    .setOpenAPIVersion('3.1.0')
    .addApiKey(
      { type: 'apiKey', in: 'header', name: SECURITY_SCHEMES.user, description: 'A key of a user.' },
      SECURITY_SCHEMES.user,
    )
    .addApiKey(
      { type: 'apiKey', in: 'header', name: SECURITY_SCHEMES.sandbox, description: "A sandbox's key." },
      SECURITY_SCHEMES.sandbox,
    )
    .addApiKey(
      { type: 'apiKey', in: 'header', name: SECURITY_SCHEMES.service, description: '`SERVICE_API_KEY`.' },
      SECURITY_SCHEMES.service,
    );
  for (const [tag, description] of Object.entries(app.get<Readonly<Record<string, string>>>(API_TAGS)))
    builder.addTag(tag, description);
  const models = referencedModels();
  const document = SwaggerModule.createDocument(app, builder.build(), {
    operationIdFactory: (_controller, method) => method,
    extraModels: [...models, HTTPValidationError],
  });
  Object.assign(document.paths, app.get(ForwardedOperations).all());
  const webhooks = app.get(DeclaredWebhooks);
  document.webhooks = webhooks.all();
  const components = (document.components ??= {});
  components.schemas = {
    ...components.schemas,
    ...webhooks.schemas(),
    ...namedSchemas(),
    ErrorBody: ERROR_BODY,
    OAuthErrorBody: OAUTH_ERROR_BODY,
  };
  // Nest lists them in the order in which files were loaded.
  components.schemas = Object.fromEntries(
    Object.entries(components.schemas).sort(([one], [other]) => (one < other ? -1 : 1)),
  );
  components.headers = RESPONSE_HEADERS;
  for (const path of Object.values(document.paths)) completePath(path);
  closeSchemas(document, models);
  listPermissions(document, app.get(PermissionTable).of('owner'));
  unwrapSingles(document);
  describeDefaults(document);
  return document;
}

function completePath(path: OpenAPIObject['paths'][string]): void {
  const named = METHODS.filter((method) => path[method] !== undefined);
  const allowed = [...named, ...(named.includes('get') ? ['head'] : [])].map((name) => name.toUpperCase());
  for (const method of named) {
    const operation = path[method];
    if (operation === undefined) continue;
    // Declared for a controller, it holds for what changes something.
    if (method === 'get') Reflect.deleteProperty(operation, 'x-own-sign-in');
    complete(operation, allowed.sort());
  }
}

/** Adds what follows from the declarations of an operation. */
function complete(operation: Operation, allowed: readonly string[]): void {
  // An empty list says "none"; without one, tools take the operation for one that forgot to say.
  if (!isClosed(operation)) operation.security = [];
  for (const shared of sharedResponses(operation, allowed)) addResponses(operation, shared);
  Reflect.deleteProperty(operation, VALIDATION_STATUS);
  shapeErrors(operation);
  if (isForwarded(operation)) allowOtherResponses(operation);
  describeHeaders(operation);
  showExamplesOnly(operation);
  showOneType(operation);
}

/** Swagger UI sends `example` along when a request is tried out; of optional parameters it is only to be shown. */
function showExamplesOnly({ parameters = [] }: Operation): void {
  for (const parameter of parameters) {
    if (!('in' in parameter) || parameter.required === true || !parameter.schema) continue;
    if (!('example' in parameter.schema)) continue;
    const shown: unknown = parameter.schema.example;
    const schema = { ...parameter.schema, examples: [shown] };
    delete schema.example;
    parameter.schema = schema;
  }
}

/** `@ApiHeader` gives every header the type `string`, also where its schema names types. */
function showOneType({ parameters = [] }: Operation): void {
  for (const parameter of parameters) {
    if (!('in' in parameter) || !parameter.schema || !('anyOf' in parameter.schema)) continue;
    const schema = { ...parameter.schema };
    delete schema.type;
    parameter.schema = schema;
  }
}

/**
 * Tells the defaults of properties in their descriptions. Generators of clients take a property with a `default` for
 * one that is always there, and would ask for it in every request.
 */
function describeDefaults({ components }: OpenAPIObject): void {
  for (const schema of Object.values(components?.schemas ?? {})) {
    if ('$ref' in schema) continue;
    for (const property of Object.values(schema.properties ?? {})) {
      if ('$ref' in property || property.default === undefined) continue;
      const sentence = `Default: \`${JSON.stringify(property.default)}\`.`;
      property.description = [property.description, sentence].filter(Boolean).join(' ');
      delete property.default;
    }
  }
}
