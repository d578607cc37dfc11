import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, getSchemaPath, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { SECURITY_SCHEMES } from '../auth';
import { HTTPValidationError, referencedModels } from '../validation';

/** The version of the interface, not of the package (interface 9). */
const INTERFACE_VERSION = '0.0.1';

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
  const config = new DocumentBuilder()
    .setTitle('Organization Conversation Service')
    .setDescription("Runs an organization's conversations with AI coding agents, each in a sandbox.")
    .setVersion(INTERFACE_VERSION)
    .setOpenAPIVersion('3.1.0')
    .addApiKey(
      { type: 'apiKey', in: 'header', name: SECURITY_SCHEMES.user, description: 'A key of a user.' },
      SECURITY_SCHEMES.user,
    )
    .addApiKey(
      { type: 'apiKey', in: 'header', name: SECURITY_SCHEMES.sandbox, description: "A sandbox's key." },
      SECURITY_SCHEMES.sandbox,
    )
    .build();
  const document = SwaggerModule.createDocument(app, config, {
    operationIdFactory: (_controller, method) => method,
    extraModels: [...referencedModels(), HTTPValidationError],
  });
  const components = (document.components ??= {});
  components.schemas = { ...components.schemas, ErrorBody: ERROR_BODY };
  for (const path of Object.values(document.paths))
    for (const operation of [path.get, path.post, path.put, path.patch, path.delete])
      if (operation) addSharedAnswers(operation);
  return document;
}

function addSharedAnswers(operation: Operation): void {
  const add = (status: number, description: string): void => {
    operation.responses[status] ??= {
      description,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorBody' } } },
    };
  };
  if (operation.security) add(401, 'No key, or one that does not work.');
  const permission: unknown = Reflect.get(operation, 'x-permission');
  if (typeof permission === 'string') add(403, `Not a member, or without the permission ${permission}.`);
  if (operation.requestBody || operation.parameters?.length)
    operation.responses[422] ??= {
      description: 'The request is not valid: every fault of it is told.',
      content: { 'application/json': { schema: { $ref: getSchemaPath(HTTPValidationError) } } },
    };
  if (operation.requestBody) add(413, 'The body is too large.');
}
