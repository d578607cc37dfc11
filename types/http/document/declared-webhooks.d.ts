import type { OpenAPIObject } from '@nestjs/swagger';
type PathItem = OpenAPIObject['paths'][string];
type Schema = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>[string];
/** Requests that the service itself makes, for `webhooks` of the OpenAPI document: whoever makes them declares them here. */
export declare class DeclaredWebhooks {
    private readonly items;
    private readonly named;
    /**
     * @param name what the request is called
     * @param item its operation
     * @param schemas the components that it refers to, by name
     */
    declare(name: string, item: PathItem, schemas: Readonly<Record<string, Schema>>): void;
    /** A copy of the requests, by name. */
    all(): Record<string, PathItem>;
    /** A copy of the components, by name. */
    schemas(): Record<string, Schema>;
}
export {};
