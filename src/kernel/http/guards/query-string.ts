/** @returns what follows the `?` of a request target, undecoded; empty when there is no `?` */
export function queryStringOf(url: string): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start + 1);
}
