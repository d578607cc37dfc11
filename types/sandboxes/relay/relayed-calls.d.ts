/** @param path with its query, as the caller wrote it: it is sent unchanged, so only plain characters are allowed */
export declare function isRelayed(method: string, path: string): boolean;
/**
 * Whether an address is the sandbox's as a browser spells it: with the scheme of its page, and with the page's host if
 * the sandbox is on the browser's own machine. The address is only compared, never called.
 */
export declare function isAddressOf(given: string, publicUrl: string): boolean;
