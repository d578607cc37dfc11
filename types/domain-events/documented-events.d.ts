import { type DomainEventKind } from './domain-event';
/** What the documents say of one kind of domain event. */
export interface DocumentedEvent {
    readonly kind: DomainEventKind;
    /** When it happens, as a sentence. */
    readonly description: string;
    /** JSON schema of its fields, `kind` left out. */
    readonly schema: {
        readonly [keyword: string]: unknown;
    };
    /** An example of its fields, `kind` left out. */
    readonly example: Readonly<Record<string, unknown>>;
}
/** Every kind of domain event as its schema describes it. */
export declare function documentedEvents(): DocumentedEvent[];
