import { z } from 'zod';
import { domainEventSchema } from './kinds/domain-event';
import type { DomainEventKinds } from './domain-event-kinds';

/** What the documents say of one kind of domain event. */
export interface DocumentedEvent {
  readonly kind: string;
  /** When it happens, as a sentence. */
  readonly description: string;
  /** JSON schema of its fields, `kind` left out. */
  readonly schema: { readonly [keyword: string]: unknown };
  /** An example of its fields, `kind` left out; absent where a field has none. */
  readonly example?: Readonly<Record<string, unknown>>;
}

/** Every kind of domain event as its schema describes it. */
export function documentedEvents(kinds: DomainEventKinds): DocumentedEvent[] {
  return [
    ...domainEventSchema.options.map((option) => documented(option.shape.kind.value, option)),
    ...[...kinds.ofExtensions].map(([kind, schema]) => documented(kind, schema)),
  ];
}

function documented(kind: string, { shape, description = '' }: z.ZodObject): DocumentedEvent {
  const fields = Object.entries<z.ZodType>(shape).filter(([name]) => name !== 'kind');
  const schema: Record<string, unknown> = z.toJSONSchema(z.object(Object.fromEntries(fields)), {
    io: 'input',
    // The pattern of a time is as long as a page, and the bounds of an integer are those of doubles.
    override: ({ jsonSchema }) => {
      for (const keyword of ['pattern', 'minimum', 'maximum']) Reflect.deleteProperty(jsonSchema, keyword);
    },
  });
  Reflect.deleteProperty(schema, '$schema');
  const examples = fields.map(([name, field]) => [name, exampleOf(field)] as const);
  return {
    kind,
    description,
    schema,
    ...(examples.every(([, example]) => example !== undefined) && { example: Object.fromEntries(examples) }),
  };
}

function exampleOf(field: z.ZodType): unknown {
  const examples: unknown = field.meta()?.['examples'];
  return Array.isArray(examples) ? (examples[0] as unknown) : undefined;
}
