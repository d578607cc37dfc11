const ESCAPED_RUN = /(?:%[0-9a-f]{2})+/gi;
const MALFORMED_PERCENT = /%(?![0-9a-f]{2})/gi;

/**
 * Makes every path decodable, as the reference implementation does: a `%` that does not start an escape is
 * taken literally, and bytes that are not UTF-8 become U+FFFD. Without this, Express itself would answer 400.
 * @param url the request target; its query is left alone
 */
export function repairPercentEncoding(url: string): string {
  const queryStart = url.indexOf('?');
  const path = queryStart === -1 ? url : url.slice(0, queryStart);
  if (!path.includes('%')) return url;
  const repaired = path.replace(MALFORMED_PERCENT, '%25').replace(ESCAPED_RUN, repairRun);
  return queryStart === -1 ? repaired : repaired + url.slice(queryStart);
}

function repairRun(run: string): string {
  try {
    decodeURIComponent(run);
    return run;
  } catch {
    const bytes = Buffer.from(run.replaceAll('%', ''), 'hex');
    return encodeURIComponent(bytes.toString('utf8'));
  }
}
