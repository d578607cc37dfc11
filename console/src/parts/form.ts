/** The text of a form's field, without blanks around it; empty for a field that is not there. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value.trim() : '';
}

/** The words of a form's field, which blanks, commas and line ends part. */
export function wordsOf(form: FormData, name: string): string[] {
  return textOf(form, name)
    .split(/[\s,]+/)
    .filter((word) => word !== '');
}

/** The lines of a form's field, without empty ones. */
export function linesOf(form: FormData, name: string): string[] {
  return textOf(form, name)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
