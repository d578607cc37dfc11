/**
 * Brackets and commas of a text that is parsed. To parse many small values takes far longer than to read as many bytes of long
 * ones, and nothing else is done meanwhile; answers with the probabilities of a thousand words have fewer.
 */
const MOST_PIECES = 250_000;

const PIECES = new Set(Buffer.from('{}[],'));

/** What a JSON text says; null for a text that is none, or that would take too long to parse. */
export function readableJson(text: string): unknown {
  if (text.length > MOST_PIECES && hasTooMany(text)) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Those in strings count as well: few texts have so many. */
function hasTooMany(text: string): boolean {
  let pieces = 0;
  for (let at = 0; at < text.length; at++)
    if (PIECES.has(text.charCodeAt(at)) && ++pieces > MOST_PIECES) return true;
  return false;
}
