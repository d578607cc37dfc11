/** Metadata key of a route's own cap. */
export declare const BODY_LIMIT = "ocs:body-limit";
/** The cap of routes that declare none, in bytes (docs/contract.md#body-limits). */
export declare const DEFAULT_BODY_LIMIT: number;
/** The largest body a route reads, in MiB; a larger one is 413. */
export declare function BodyLimit(mebibytes: number): MethodDecorator & ClassDecorator;
