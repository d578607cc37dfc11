/** The placeholder for a secret in responses; in requests it keeps the stored one. */
export const HIDDEN = '**********';

/** What is wrong with a secret where none is kept yet, or null: the sign for a hidden one counts as none. */
export function hiddenProblem(text: string): string | null {
  return text === HIDDEN ? 'this stands for a value that is kept, and there is none' : null;
}

/** What a request gives in place of a secret: undefined also for the sign of one that is hidden, which stays. */
export function unlessHidden<Given>(given: Given): Given | undefined {
  return given === HIDDEN ? undefined : given;
}
