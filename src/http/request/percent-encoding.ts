const ESCAPED_RUN = /(?:%[0-9a-f]{2})+/gi;
const MALFORMED_PERCENT = /%(?![0-9a-f]{2})/gi;

/**
 * Makes every path decodable, in the way of the modelled framework: a `%` that starts no escape stands for
 * itself, and bytes that are no UTF-8 become U+FFFD. Express would answer 400 by itself otherwise.
 * @param url the request target; its query is left alone
 */
export function repairPercentEncoding(url: string): string {
  const queryStart = url.indexOf('?');
  const path = queryStart === -1 ? url : url.slice(0, queryStart);
  if (!path.includes('%')) return url;
  const mended = path.replace(MALFORMED_PERCENT, '%25').replace(ESCAPED_RUN, mendRun);
  return queryStart === -1 ? mended : mended + url.slice(queryStart);
}

function mendRun(run: string): string {
  try {
    decodeURIComponent(run);
    return run;
  } catch {
    const bytes = Buffer.from(run.replaceAll('%', ''), 'hex');
    return encodeURIComponent(bytes.toString('utf8'));
  }
}
