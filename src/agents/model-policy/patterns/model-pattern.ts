import { fullModelName } from './model-name';

/**
 * Whether a pattern stands for a model: `*` for any characters, slashes as well, everything else for itself. A pattern without a
 * provider is completed as names are, so that `gpt-5*` stands for models of OpenAI alone. It takes time in proportion to the
 * lengths, whatever the pattern.
 * @param model its name, with its provider or without
 */
export function matchesModel(pattern: string, model: string): boolean {
  const parts = fullModelName(pattern).split('*');
  const name = fullModelName(model);
  const [first = ''] = parts;
  const last = parts.at(-1) ?? '';
  if (parts.length === 1) return name === first;
  if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last))
    return false;
  const end = name.length - last.length;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = name.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}

/**
 * The one of some patterns that says most about a model: its own name, else the longest.
 * @returns undefined where none stands for it
 */
export function closestPattern(patterns: Iterable<string>, model: string): string | undefined {
  const name = fullModelName(model);
  let closest: string | undefined;
  for (const pattern of patterns) {
    if (fullModelName(pattern) === name) return pattern;
    if (matchesModel(pattern, name) && pattern.length > (closest?.length ?? -1)) closest = pattern;
  }
  return closest;
}
