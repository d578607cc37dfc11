import { Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { type DocumentedEvent, documentedEvents, DomainEventKinds } from '../../kernel/domain-events';
import { DeclaredWebhooks } from '../../kernel/http';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;

const TIME = '2026-11-21T09:30:00.000Z';

const TEST: DocumentedEvent = {
  kind: 'webhook.test',
  description: 'Somebody sent a test.',
  schema: {
    type: 'object',
    properties: {
      org_id: { type: 'string', format: 'uuid', description: 'The organization.' },
      webhook_id: { type: 'string', format: 'uuid', description: 'The webhook.' },
    },
    required: ['org_id', 'webhook_id'],
  },
  example: {
    org_id: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
    webhook_id: 'a4d2c1c6-5a77-4b52-9f0e-3f5a8d1b7c90',
  },
};

const EVENT = {
  schema: {
    type: ['object', 'null'],
    description: 'The event as the agent server made it; null where the callback would not stay under 20 kB.',
  },
  example: {
    id: '1f0c3d52-77aa-4b52-9f0e-3f5a8d1b7c11',
    kind: 'MessageEvent',
    source: 'agent',
    timestamp: TIME,
  },
};

const POSITION = {
  schema: {
    type: 'integer',
    description: 'Where the row stands in the log: `after` of the list goes on from there.',
  },
  example: 4711,
};

/** What callbacks have beside the fields of their events. */
const ADDED: Readonly<
  Record<string, { readonly name: string; readonly schema: object; readonly example: unknown }>
> = {
  'event.received': { name: 'event', ...EVENT },
  'audit.recorded': { name: 'position', ...POSITION },
};

const HEADERS = {
  'webhook-id': ['Id of the delivery, the same in every attempt.', '5c3b9a60-2f3d-4f8f-8a44-6d0d5e0c9a11'],
  'webhook-timestamp': ['When this attempt was made, in seconds since 1970.', '1795253400'],
  'webhook-signature': [
    'HMAC-SHA-256 of id, timestamp and body, with the secret; several, separated by spaces, after a rotation.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ],
} as const;

/** Describes the callbacks in `webhooks` of the OpenAPI document, from the schema of the domain events. */
@Injectable()
export class CallbackDocuments {
  constructor(declared: DeclaredWebhooks, kinds: DomainEventKinds) {
    for (const documented of [...documentedEvents(kinds).map(withAdded), TEST]) {
      const name = `${pascalCase(documented.kind)}Callback`;
      const schemas = { [name]: payloadSchema(documented) } as Schemas;
      declared.declare(documented.kind, { post: operation(documented, name) }, schemas);
    }
  }
}

function withAdded(documented: DocumentedEvent): DocumentedEvent {
  const added = ADDED[documented.kind];
  if (added === undefined) return documented;
  const { schema, example = {} } = documented;
  return {
    ...documented,
    schema: {
      ...schema,
      properties: { ...objectIn(schema['properties']), [added.name]: added.schema },
      required: [...Object.keys(example), added.name],
    },
    example: { ...example, [added.name]: added.example },
  };
}

function objectIn(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}

function payloadSchema({ kind, description, schema }: DocumentedEvent) {
  return {
    title: `${pascalCase(kind)}Callback`,
    type: 'object',
    description,
    properties: {
      type: { type: 'string', const: kind, description: 'What happened.' },
      timestamp: { type: 'string', format: 'date-time', description: 'When it happened.' },
      data: { ...schema, description: 'What it happened to.' },
    },
    required: ['type', 'timestamp', 'data'],
  };
}

function operation({ kind, description, example }: DocumentedEvent, schema: string): Operation {
  return {
    operationId: `on${pascalCase(kind)}`,
    summary: kind,
    description: `${description} Sent to the webhooks whose filters it passes (docs/webhooks.md).`,
    tags: ['Callbacks'],
    security: [],
    parameters: Object.entries(HEADERS).map(([name, [text, value]]) => ({
      name,
      in: 'header',
      required: true,
      description: text,
      schema: { type: 'string', examples: [value] },
    })),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: { $ref: `#/components/schemas/${schema}` },
          ...(example !== undefined && {
            examples: { [kind]: { value: { type: kind, timestamp: TIME, data: example } } },
          }),
        },
      },
    },
    responses: {
      '2XX': { description: 'It was received.' },
      '410': { description: 'Nothing more is wanted: the webhook is disabled.' },
      default: { description: 'It was not received: it is sent again later.' },
    },
  };
}

function pascalCase(kind: string): string {
  return kind
    .split(/[._]/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');
}
