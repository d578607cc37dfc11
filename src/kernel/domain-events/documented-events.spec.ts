import { documentedEvents } from './documented-events';
import { DomainEventKinds } from './domain-event-kinds';
import { domainEventSchema } from './kinds/domain-event';
import { DOMAIN_EVENT_KINDS } from './kinds/event-kinds';

/** What kinds got later: events without it are stored. */
const OPTIONAL = ['own_role_id', 'previous_own_role_id'];

const documentation = documentedEvents(new DomainEventKinds());

describe('what the documents say of domain events', () => {
  it('has every kind once', () => {
    expect(documentation.map(({ kind }) => kind)).toEqual(DOMAIN_EVENT_KINDS);
  });

  it.each(documentation.map((one) => [one.kind, one] as const))(
    '%s has a sentence, an example that can be published, and a description of every field',
    (kind, { description, example = {}, schema }) => {
      expect(description).toMatch(/\.$/);
      expect(domainEventSchema.parse({ kind, ...example })).toEqual({ kind, ...example });
      const { properties, required } = schema as {
        properties: Record<string, { description?: string }>;
        required: string[];
      };
      expect(Object.keys(properties)).toEqual(Object.keys(example));
      expect(required).toEqual(Object.keys(example).filter((name) => !OPTIONAL.includes(name)));
      expect(Object.values(properties).filter((field) => !field.description)).toEqual([]);
    },
  );
});
