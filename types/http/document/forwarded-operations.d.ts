import type { OpenAPIObject } from '@nestjs/swagger';
type PathItem = OpenAPIObject['paths'][string];
type Operation = NonNullable<PathItem['get']>;
/** Operations that no controller answers, for the OpenAPI document: whoever answers them declares them here. */
export declare class ForwardedOperations {
    private readonly items;
    /** @param path with its `{parameters}` */
    declare(path: string, item: PathItem): void;
    /** A copy of them all, by path. */
    all(): Record<string, PathItem>;
}
/** The schema of what another server answers, for the document's components. */
export declare const FORWARDED_RESPONSE: {
    title: string;
    description: string;
    type: string[];
    items: {};
};
/** Whether another server reads, checks and answers the request. */
export declare function isForwarded(operation: Operation): boolean;
/** What another server answers, of any type; JSON by its name, since generators of clients know no wildcards. */
export declare const FORWARDED_CONTENT: {
    'application/json': {
        schema: {
            $ref: string;
        };
    };
    '*/*': {
        schema: {
            $ref: string;
        };
    };
};
/** Another server may answer anything with the statuses that the service has errors for. */
export declare function allowOtherResponses({ responses }: Operation): void;
export {};
