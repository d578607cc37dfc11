import type { Operation } from './shared-responses';
/** Swagger UI sends `example` along when a request is tried out; of optional parameters it is only to be shown. */
export declare function showExamplesOnly({ parameters }: Operation): void;
/** `@ApiHeader` gives every header the type `string`, also where its schema names types. */
export declare function showOneType({ parameters }: Operation): void;
