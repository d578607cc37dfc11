import type { OpenAPIObject } from '@nestjs/swagger';
import { type Operation } from './shared-responses';
type Components = NonNullable<OpenAPIObject['components']>;
type Headers = NonNullable<Components['headers']>;
/** The headers of answers that the document names, for its components. */
export declare const RESPONSE_HEADERS: Headers;
/** Names the headers of each response of an operation; those it declares itself stay. */
export declare function describeHeaders(operation: Operation): void;
export {};
