/** What was typed into a field, by its name: without blanks around it, empty where there is none. */
export type Values = (name: string) => string;

/** The fields of a form. */
export function valuesOf(form: HTMLFormElement | FormData): Values {
  const data = form instanceof FormData ? form : new FormData(form);
  return (name) => {
    const given = data.get(name);
    return typeof given === 'string' ? given.trim() : '';
  };
}

/** The words of what was typed, which blanks, commas and line ends part. */
export function wordsOf(typed: string): string[] {
  return typed.split(/[\s,]+/).filter((word) => word !== '');
}

/** The lines of what was typed, without empty ones. */
export function linesOf(typed: string): string[] {
  return typed
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** Puts values into the fields of a form that have these names. @param form null does nothing */
export function fillForm(
  form: HTMLFormElement | null,
  values: Readonly<Record<string, string | null | undefined>>,
): void {
  for (const [name, value] of Object.entries(values)) {
    const control = form?.elements.namedItem(name);
    if (control instanceof HTMLInputElement || control instanceof HTMLSelectElement)
      control.value = value ?? '';
  }
}
