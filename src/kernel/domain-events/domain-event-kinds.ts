import { z } from 'zod';
import { storableJson, uuidText } from '../common';
import { type DomainEvent, domainEventSchema } from './kinds/domain-event';
import {
  AUDIT_KIND,
  type DomainEventKind,
  DOMAIN_EVENT_KINDS,
  isLoggedByTriggers,
  type PublishedEvent,
  type Subject,
} from './kinds/event-kinds';
import { organizationField } from './kinds/event-fields';

/** Schemas of the fields of events, by their kinds. */
export type EventSchemas = Readonly<Record<string, z.ZodObject>>;

/** A kind of an event of an extension: of none of the subjects of the service. */
export type ExtensionEventKind<Kind extends string> = Kind extends `${Subject<DomainEventKind>}.${string}`
  ? never
  : Kind extends `${string}.${string}`
    ? Kind
    : never;

/** The most bytes of an event of an extension, as JSON: callbacks of webhooks stay under 20 kB with it. */
const MAX_BYTES = 16 * 1024;

/** What every event of an extension has, besides its own fields. */
const extensionEventSchema = z
  .looseObject({ kind: z.string(), org_id: uuidText, conversation_id: uuidText.nullish() })
  .brand<'extension'>();

/** Something that happened in an extension, as the schema of its kind has read it. */
export type ExtensionEvent = z.output<typeof extensionEventSchema>;

/** An event of an extension, by the schema of its fields: `ExtensionEventOf<typeof budgetSpent>`. */
export type ExtensionEventOf<Fields extends z.ZodObject> = Readonly<z.output<Fields>> & {
  readonly kind: string;
  readonly org_id: string;
};

/** What the log has: events of the service and of extensions. */
export type AnyDomainEvent = DomainEvent | ExtensionEvent;

const OF_SERVICE: ReadonlySet<string> = new Set(DOMAIN_EVENT_KINDS);

/** Whether an event is one of the service. */
export function isOfService(event: AnyDomainEvent): event is DomainEvent {
  return OF_SERVICE.has(event.kind);
}

/** Whether operations or extensions publish an event, and no trigger logs it. */
export function isPublished(event: AnyDomainEvent): event is PublishedEvent | ExtensionEvent {
  return !isLoggedByTriggers(event.kind) && event.kind !== AUDIT_KIND;
}

/** The kinds of events that there are: those of the service, and of the extensions that are loaded. */
export class DomainEventKinds {
  /** The schemas of the events of extensions, by kind. */
  readonly ofExtensions: ReadonlyMap<string, z.ZodObject>;

  /** Of any event. */
  readonly schema;

  /** All kinds. */
  readonly names: readonly string[];

  /** @param schemas those of the fields of extensions' events */
  constructor(schemas: EventSchemas = {}) {
    // What is stored has more than they declare: the trace of the change.
    this.ofExtensions = new Map(
      Object.entries(schemas).map(([kind, fields]) => [
        kind,
        fields
          .strip()
          .safeExtend({ kind: z.literal(kind), org_id: organizationField })
          .meta({ description: fields.description ?? 'An event of an extension.' }),
      ]),
    );
    this.schema = z.discriminatedUnion('kind', [
      ...domainEventSchema.options,
      ...[...this.ofExtensions.values()].map(readerOf),
    ]);
    this.names = [...DOMAIN_EVENT_KINDS, ...this.ofExtensions.keys()];
  }

  /**
   * Reads a stored event.
   * @returns null for one that a later release has logged, or an extension that is gone: nobody here knows what it says
   */
  read(stored: unknown): AnyDomainEvent | null {
    try {
      return this.schema.safeParse(stored).data ?? null;
    } catch {
      // What an extension's schema throws must not stop what comes after the event.
      return null;
    }
  }

  /** The kinds that a pattern of a listener matches; none for one that is unknown. `*` is all of the service but the audit log's. */
  matching(pattern: string): readonly string[] {
    if (pattern === '*') return DOMAIN_EVENT_KINDS.filter((kind) => kind !== AUDIT_KIND);
    return this.names.filter(
      (kind) => kind === pattern || (pattern.endsWith('.*') && kind.startsWith(pattern.slice(0, -1))),
    );
  }

  /**
   * An event of an extension, with what its schema declares of the fields, as it is read back from the log.
   * @throws Error when no extension has the kind, the fields do not fit its schema, or it is too large
   */
  eventOf(kind: string, orgId: string, fields: Readonly<Record<string, unknown>>): ExtensionEvent {
    const schema = this.ofExtensions.get(kind);
    if (schema === undefined) throw new Error(`No extension has events of the kind ${kind}.`);
    const stored = JSON.stringify(fitting(schema, kind, { ...storableJson(fields), kind, org_id: orgId }));
    const bytes = Buffer.byteLength(stored);
    if (bytes > MAX_BYTES)
      throw new Error(`The event ${kind} has ${bytes} bytes; ${MAX_BYTES} are the most that one may have.`);
    // One that the schema does not read again would be passed over by all its consumers.
    return fitting(schema, kind, JSON.parse(stored));
  }
}

function readerOf(schema: z.ZodObject) {
  return z.pipe(schema, extensionEventSchema);
}

/** @throws Error which names the fields that do not fit */
function fitting(schema: z.ZodObject, kind: string, event: unknown): ExtensionEvent {
  const { success, data, error } = readerOf(schema).safeParse(event);
  if (success) return data;
  const problems = error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
  throw new Error(`The event ${kind} does not fit its schema: ${problems}.`);
}
