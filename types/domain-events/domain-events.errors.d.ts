import { StartError } from '../common';
/** A listener names a kind of event that does not exist: the service does not start. */
export declare class UnknownEventKindError extends StartError {
    constructor(pattern: string);
}
/** A listener names kinds of agents' events that cannot be any, or hears other events too: the service does not start. */
export declare class MalformedEventKindsError extends StartError {
    constructor(eventKinds: readonly string[]);
}
/** Two listeners, or a listener and a job, would store their jobs under one name: the service does not start. */
export declare class DuplicateListenerError extends StartError {
    constructor(name: string);
}
/** A listener's provider is created for each request, so nothing could call it: the service does not start. */
export declare class ScopedListenerError extends StartError {
    constructor(provider: string);
}
