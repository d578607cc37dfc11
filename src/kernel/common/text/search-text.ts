/**
 * A text as searches compare it: what people take for equal is equal, whether composed or not, full-width, in capitals or with
 * a final sigma. The database has a function of this name for what it searches.
 */
export function searchText(text: string): string {
  return text.normalize('NFKC').toLowerCase().normalize('NFKC').replaceAll('ς', 'σ');
}
