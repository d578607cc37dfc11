import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  DOMAIN_EVENT_KINDS,
  documentedEvents,
  DomainEventKinds,
  domainEventSchema,
} from '../../src/kernel/domain-events';

interface Payload {
  readonly type: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

interface ObjectSchema {
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, object>>;
}

interface Callback {
  readonly operationId: string;
  readonly description: string;
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody: {
    readonly content: {
      readonly 'application/json': {
        readonly schema: { readonly $ref: string };
        readonly examples: Readonly<Record<string, { readonly value: Payload }>>;
      };
    };
  };
}

const document = JSON.parse(readFileSync(join(__dirname, '..', '..', 'openapi.json'), 'utf8')) as {
  readonly openapi: string;
  readonly webhooks: Readonly<Record<string, { readonly post: Callback }>>;
  readonly components: {
    readonly schemas: Readonly<
      Record<string, { readonly properties: { readonly type: object; readonly data: ObjectSchema } }>
    >;
  };
};

const KINDS = [...DOMAIN_EVENT_KINDS, 'webhook.test'];

/** What events of a kind have where there is something to say: clients know the kind without it. */
const OPTIONAL: Readonly<Record<string, readonly string[]>> = {
  'member.role_changed': ['own_role_id', 'previous_own_role_id'],
};

describe('the callbacks of the OpenAPI document', () => {
  it('are those of every kind of domain event, and the test', () => {
    expect(document.openapi).toMatch(/^3\.1/);
    expect(Object.keys(document.webhooks)).toEqual(KINDS);
    const ids = Object.values(document.webhooks).map(({ post }) => post.operationId);
    expect(new Set(ids).size).toBe(KINDS.length);
  });

  it.each(KINDS)('of %s have a schema, the headers of Standard Webhooks and an example that fits', (kind) => {
    const { post } = document.webhooks[kind]!;
    expect(post.description).toMatch(/\.$/);
    expect(post.parameters.map((one) => [one.in, one.name])).toEqual([
      ['header', 'webhook-id'],
      ['header', 'webhook-timestamp'],
      ['header', 'webhook-signature'],
    ]);
    const { schema, examples } = post.requestBody.content['application/json'];
    const { type, data } = document.components.schemas[schema.$ref.split('/').at(-1) ?? '']!.properties;
    expect(type).toMatchObject({ const: kind });
    const [example, ...others] = Object.values(examples);
    expect(others).toEqual([]);
    expect(example?.value).toMatchObject({ type: kind, timestamp: expect.stringMatching(/Z$/) as string });
    expect(Object.keys(example?.value.data ?? {}).sort()).toEqual(Object.keys(data.properties).sort());
    const optional = Object.keys(data.properties).filter((name) => !data.required.includes(name));
    expect(optional).toEqual(OPTIONAL[kind] ?? []);
  });

  it.each(documentedEvents(new DomainEventKinds()).map((one) => [one.kind, one] as const))(
    'of %s describe what the schema of the event reads',
    (kind, { schema }) => {
      const { post } = document.webhooks[kind]!;
      const { examples, schema: named } = post.requestBody.content['application/json'];
      const { data } = document.components.schemas[named.$ref.split('/').at(-1) ?? '']!.properties;
      expect(data.properties).toMatchObject(schema['properties'] as object);
      const { event, position, ...fields } = examples[kind]!.value.data;
      expect(domainEventSchema.parse({ kind, ...fields })).toEqual({ kind, ...fields });
      expect(event === undefined).toBe(kind !== 'event.received');
      expect(position === undefined).toBe(kind !== 'audit.recorded');
    },
  );
});
