/**
 * Providers of models that are known by the beginning of their names: what calls models for agents takes names without a provider
 * for theirs, too.
 */
const KNOWN: readonly (readonly [provider: string, names: RegExp])[] = [
  ['anthropic', /^claude/],
  ['openai', /^(?:gpt-|chatgpt-|o\d|text-embedding-|codex-)/],
  ['gemini', /^gemini-/],
  ['mistral', /^(?:mistral|codestral|devstral|magistral|ministral)-/],
  ['deepseek', /^deepseek-/],
  ['xai', /^grok-/],
];

/**
 * The name of a model with its provider, as patterns and prices have it: `gpt-5` is `openai/gpt-5`. Names are told apart by case.
 * @returns the name itself where it has a provider, or where none is known for it
 */
export function fullModelName(name: string): string {
  if (name.includes('/')) return name;
  const [provider] = KNOWN.find(([, names]) => names.test(name)) ?? [];
  return provider === undefined ? name : `${provider}/${name}`;
}
