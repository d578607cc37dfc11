import type { Request } from 'express';
/** Handler parameter: the unmodified text of the body, on a route that declares one with `@Body()`. */
export declare const BodyText: (...dataOrPipes: unknown[]) => ParameterDecorator;
/** The unmodified text of a request's body, on a route that declares one with `@Body()`. */
export declare function requestBodyText(request: Request): string;
