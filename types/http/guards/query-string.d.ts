/** @returns what follows the `?` of a request target, undecoded; empty when there is no `?` */
export declare function queryStringOf(url: string): string;
