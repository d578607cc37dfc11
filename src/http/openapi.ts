import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, getSchemaPath, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { SECURITY_SCHEMES } from '../auth';
import { HTTPValidationError, referencedModels } from '../validation';

/** The version of the interface, not of the package (docs/contract.md#versioning). */
const INTERFACE_VERSION = '0.0.1';

const DESCRIPTION = `Runs an organization's conversations with AI coding agents, each in a sandbox.

Send a key in \`X-Access-Token\`; here, give it to **Authorize** once. \`X-Org-Id\` chooses among your
organizations. \`x-permission\` of an operation names what the caller's role has to allow. Invalid requests are
answered 422 with every fault; all other errors have a sentence in \`detail\` and a name in \`code\`.`;

/** What the document says of the groups of operations, in the order they are shown. */
const TAGS: Readonly<Record<string, string>> = {
  Conversations: 'Your conversations: start, read, change and delete them, and send follow-up messages.',
  'Queued messages': 'Messages for a conversation that cannot take them yet, delivered in order when it can.',
  Events: 'What happened in a conversation, as its agent server told it.',
  'Organization conversations': 'All conversations of an organization, for those who look after it.',
  Sandboxes: 'Where conversations run.',
  Skills: 'What plugin marketplaces offer.',
  'App settings': 'Settings and marketplace registrations of an organization and of a user.',
  Organizations: 'Your organizations and their members.',
  Invitations: 'How people come into an organization.',
  Keys: 'Your API keys.',
  'Calls of agent servers': 'What agent servers call with the key of their sandbox; not for people.',
  Operations: 'For those who run the service; they need no key.',
};

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

const ERROR_BODY = {
  type: 'object',
  title: 'ErrorBody',
  description: 'What every error but 422 answers.',
  required: ['detail', 'code'],
  properties: {
    detail: { type: 'string', description: 'One sentence for people.' },
    code: { type: 'string', description: 'A name for programs.' },
    error_id: { type: 'string', description: 'With a 500: the id the log knows it by.' },
  },
};

/** The OpenAPI 3.1 document of the whole service, with the answers that all operations of a kind share. */
export function openApiDocument(app: INestApplication): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setTitle('Organization Conversation Service')
    .setDescription(DESCRIPTION)
    .setVersion(INTERFACE_VERSION)
    .setOpenAPIVersion('3.1.0')
    .addApiKey(
      { type: 'apiKey', in: 'header', name: SECURITY_SCHEMES.user, description: 'A key of a user.' },
      SECURITY_SCHEMES.user,
    )
    .addApiKey(
      { type: 'apiKey', in: 'header', name: SECURITY_SCHEMES.sandbox, description: "A sandbox's key." },
      SECURITY_SCHEMES.sandbox,
    );
  for (const [tag, description] of Object.entries(TAGS)) builder.addTag(tag, description);
  const document = SwaggerModule.createDocument(app, builder.build(), {
    operationIdFactory: (_controller, method) => method,
    extraModels: [...referencedModels(), HTTPValidationError],
  });
  const components = (document.components ??= {});
  components.schemas = { ...components.schemas, ErrorBody: ERROR_BODY };
  for (const path of Object.values(document.paths))
    for (const operation of [path.get, path.post, path.put, path.patch, path.delete])
      if (operation) {
        addSharedAnswers(operation);
        showExamplesOnly(operation);
        showOneType(operation);
      }
  return document;
}

function addSharedAnswers(operation: Operation): void {
  const add = (status: number, description: string, schema = '#/components/schemas/ErrorBody'): void => {
    operation.responses[status] ??= {
      description,
      content: { 'application/json': { schema: { $ref: schema } } },
    };
  };
  if (operation.security) add(401, 'No key, or one that does not work.');
  addOrganizationAnswers(operation, add);
  if (operation.requestBody) add(413, 'The body is too large.');
  if (isChecked(operation) && !hasOwnFaultStatus(operation))
    add(422, 'The request is not valid; every fault is told.', getSchemaPath(HTTPValidationError));
  if (operation.security) {
    add(500, 'The service failed; the log knows the error id.');
    add(503, 'The database cannot be reached; try again shortly.');
  }
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

/** `@ApiHeader` gives every header the type `string`, even next to the types that its schema names. */
function showOneType({ parameters = [] }: Operation): void {
  for (const parameter of parameters) {
    if (!('in' in parameter) || !parameter.schema || !('anyOf' in parameter.schema)) continue;
    const schema = { ...parameter.schema };
    delete schema.type;
    parameter.schema = schema;
  }
}

/** What the declared access makes possible: see `@Access`. */
function addOrganizationAnswers(
  operation: Operation,
  add: (status: number, description: string) => void,
): void {
  const organization: unknown = Reflect.get(operation, 'x-organization');
  if (organization === undefined) return;
  add(400, '`X-Org-Id` is no UUID, or contradicts another selector.');
  const permission: unknown = Reflect.get(operation, 'x-permission');
  if (typeof permission === 'string') add(403, `Not a member, or without the permission ${permission}.`);
  else if (organization !== 'none')
    add(403, 'Not a member of the organization, or the key is bound elsewhere.');
  if (organization === 'effective' || organization === 'effective-or-query')
    add(404, 'The caller has no current organization.');
}

/** Where faults of the request are answered with another status: see `ValidationStatus`. */
function hasOwnFaultStatus({ responses }: Operation): boolean {
  return JSON.stringify(responses[400] ?? {}).includes(getSchemaPath(HTTPValidationError));
}

/** Headers never fail a check; path, query and body may. */
function isChecked({ parameters = [], requestBody }: Operation): boolean {
  return (
    requestBody !== undefined ||
    parameters.some((parameter) => !('in' in parameter) || parameter.in !== 'header')
  );
}
