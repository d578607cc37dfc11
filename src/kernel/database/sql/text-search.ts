/**
 * Whether a text has another as a part, in any case, which a trigram index of `search_text` of it can tell: as a condition.
 * @param part the parameter, in which wildcards are escaped
 */
export function hasPartIndexed(text: string, part: string): string {
  return `search_text(${text}) LIKE '%' || search_text(${part}) || '%'`;
}

/**
 * {@link hasPartIndexed} for what no index can find: no pattern, with which the planner would look into the index all the same,
 * and a third of the time for texts of ASCII, of which `search_text` is the lower case.
 * @param part the parameter, as it is
 */
export function hasPart(text: string, part: string): string {
  const isAscii = `octet_length(${text}) = length(${text})`;
  return `position(search_text(${part}) in CASE WHEN ${isAscii} THEN lower(${text}) ELSE search_text(${text}) END) > 0`;
}
