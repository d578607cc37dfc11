const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text that is HTML already and is not escaped again. */
export class Html {
  constructor(readonly text: string) {}
}

/** The values a template takes: text is escaped, `null` renders as nothing. */
export type HtmlValue = string | number | Html | readonly Html[] | null;

/** A template tag that escapes its values: safe in elements and in quoted attributes. */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(parts.reduce((text, part, i) => text + rendered(values[i - 1] ?? null) + part));
}

function rendered(value: HtmlValue): string {
  if (value === null) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(({ text }) => text).join('');
  return String(value).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
