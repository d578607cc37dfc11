/** Limits of requests per key, sandbox and address. */
export declare class RequestLimitsModule {
}
