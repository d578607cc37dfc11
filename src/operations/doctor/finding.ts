/** What one check of an installation found. */
export interface Finding {
  /** What was looked at, in a word or two. */
  readonly check: string;
  /** `warn` works, but not as it should; `fail` does not work. */
  readonly state: 'ok' | 'warn' | 'fail';
  /** A sentence. */
  readonly says: string;
  /** What to change, as a sentence; of what is not ok. */
  readonly change?: string;
}

export const ok = (check: string, says: string): Finding => ({ check, state: 'ok', says });

export const warn = (check: string, says: string, change: string): Finding => ({
  check,
  state: 'warn',
  says,
  change,
});

export const fail = (check: string, says: string, change: string): Finding => ({
  check,
  state: 'fail',
  says,
  change,
});

/**
 * A finding of a message of a start, which begins with a setting or ends with what to do: a sentence of its own, or what
 * follows a colon.
 */
export function failure(check: string, message: string): Finding {
  const text = message.trim();
  const twoSentences = /^(.+?\.)\s+([A-Z].*)$/s.exec(text);
  const [, setting, problem = ''] = /^([A-Z][A-Z_]+): (.+)$/s.exec(text) ?? [];
  if (twoSentences === null && setting !== undefined)
    return fail(check, capitalized(sentence(problem)), `Correct ${setting}, or what it leads to.`);
  const [, says = text, change = 'See docs/operations.md.'] =
    twoSentences ?? /^(.+): ([a-z].*)$/s.exec(text) ?? [];
  return fail(check, sentence(says), capitalized(change));
}

function sentence(text: string): string {
  return text.endsWith('.') ? text : `${text}.`;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
