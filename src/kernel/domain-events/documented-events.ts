import { z } from 'zod';
import { type DomainEventKind, domainEventSchema } from './domain-event';

/** What the documents say of one kind of domain event. */
export interface DocumentedEvent {
  readonly kind: DomainEventKind;
  /** When it happens, as a sentence. */
  readonly description: string;
  /** JSON schema of its fields, `kind` left out. */
  readonly schema: { readonly [keyword: string]: unknown };
  /** An example of its fields, `kind` left out. */
  readonly example: Readonly<Record<string, unknown>>;
}

/** Every kind of domain event as its schema describes it. */
export function documentedEvents(): DocumentedEvent[] {
  return domainEventSchema.options.map((option) => {
    const { kind, ...fields } = option.shape;
    const schema: Record<string, unknown> = z.toJSONSchema(z.object(fields), {
      io: 'input',
      // The pattern of a time is as long as a page, and the bounds of an integer are those of doubles.
      override: ({ jsonSchema }) => {
        for (const keyword of ['pattern', 'minimum', 'maximum']) Reflect.deleteProperty(jsonSchema, keyword);
      },
    });
    Reflect.deleteProperty(schema, '$schema');
    return {
      kind: kind.value,
      description: option.description ?? '',
      schema,
      example: Object.fromEntries(
        Object.entries<z.ZodType>(fields).map(([name, field]) => [name, exampleOf(field)]),
      ),
    };
  });
}

function exampleOf(field: z.ZodType): unknown {
  const examples: unknown = field.meta()?.['examples'];
  return Array.isArray(examples) ? (examples[0] as unknown) : undefined;
}
