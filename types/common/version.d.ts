/** The one version of package, interface and document (docs/contract.md#versioning). */
export declare const VERSION: string;
