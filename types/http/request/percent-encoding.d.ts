/**
 * Makes every path decodable, as the reference implementation does: a `%` that does not start an escape is
 * taken literally, and bytes that are not UTF-8 become U+FFFD. Without this, Express itself would answer 400.
 * @param url the request target; its query is left alone
 */
export declare function repairPercentEncoding(url: string): string;
