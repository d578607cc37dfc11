import { OtherEvent } from './event-kinds.dto';
export declare const EVENT_KINDS: string[];
/** The classes of the OpenAPI document that describe events. */
export declare const EVENT_MODELS: (typeof OtherEvent)[];
/** How an event shows in the OpenAPI document: one of the kinds, distinguished by `kind`, or of a later kind. */
export declare const EVENT_SCHEMA: {
    title: string;
    anyOf: ({
        oneOf: {
            $ref: string;
        }[];
        discriminator: {
            propertyName: string;
            mapping: {
                [k: string]: string;
            };
        };
        $ref?: never;
    } | {
        $ref: string;
        oneOf?: never;
        discriminator?: never;
    })[];
    example: {
        id: string;
        timestamp: string;
        source: string;
        llm_message: {
            role: string;
            content: {
                type: string;
                text: string;
            }[];
        };
        llm_response_id: null;
        kind: string;
    };
};
