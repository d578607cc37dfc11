import type { Operation, SharedResponses } from './shared-responses';
/** The schema of every error but faults, for the document's components. */
export declare const ERROR_BODY: {
    type: string;
    title: string;
    description: string;
    required: string[];
    properties: {
        detail: {
            type: string;
            description: string;
            example: string;
        };
        code: {
            type: string;
            description: string;
            example: string;
        };
        error_id: {
            type: string;
            format: string;
            description: string;
            example: string;
        };
    };
};
/** Adds errors to those an operation has: what was said first comes first. */
export declare function addResponses(operation: Operation, { responses, errors }: SharedResponses): void;
/** Gives errors their schema, taken from their examples, whatever the operation produces otherwise. */
export declare function shapeErrors({ responses }: Operation): void;
