/** Handler parameter: an `AbortSignal` that says that the caller has gone before the response was sent. */
export declare const ClientAbortSignal: (...dataOrPipes: unknown[]) => ParameterDecorator;
