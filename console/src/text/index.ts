import en from './en.json';

/** All texts of the console, in the reader's language: so far there is one. */
export const texts = en;

/** A text with its `{names}` replaced. */
export function say(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (name: string, key: string) =>
    typeof values[key] === 'number' ? number(values[key]) : (values[key] ?? name),
  );
}

/** A text for a number of things; `{count}` in it is the number. */
export function count(of: number, forms: PluralForms): string {
  return say(forms[new Intl.PluralRules(LANGUAGE).select(of)] ?? forms.other, { count: of });
}

/** A text for each form that the language of the texts has. */
type PluralForms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;

/** That of the texts. */
const LANGUAGE = 'en';

/** Dates and numbers are the reader's own. */
export const language = navigator.language;

/** A number as the reader writes it. */
export function number(value: number): string {
  return new Intl.NumberFormat(language).format(value);
}

/** A number in few characters: "1.2M". */
export function compact(value: number): string {
  return new Intl.NumberFormat(language, { notation: 'compact' }).format(value);
}

/** An amount of dollars: cents, or more digits for less than one. */
export function money(value: number): string {
  return new Intl.NumberFormat(language, {
    style: 'currency',
    currency: 'USD',
    maximumFractionDigits: value !== 0 && Math.abs(value) < 0.01 ? 6 : 2,
  }).format(value);
}

/** The same, where cents are not exact enough: what a million tokens cost. */
export function exactMoney(value: number): string {
  return new Intl.NumberFormat(language, {
    style: 'currency',
    currency: 'USD',
    maximumFractionDigits: 6,
  }).format(value);
}

const SIZES = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** A number of bytes in the unit that suits it: "4.2 MB". */
export function size(bytes: number): string {
  const power = Math.min(SIZES.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(bytes, 1)) / 3)));
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: SIZES[power] ?? 'byte',
    unitDisplay: 'short',
    maximumFractionDigits: 1,
  }).format(bytes / 1000 ** power);
}

/** A time of the service, as the reader writes date and time. */
export function dateTime(iso: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(iso));
}

/** The same to the second, where it matters what came first. */
export function exactTime(iso: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' }).format(
    new Date(iso),
  );
}

const MINUTE_MS = 60_000;

/** A time as a field of the browser has it: of the reader's zone, to the minute. @param at in milliseconds since 1970 */
export function localTime(at: number): string {
  const offset = new Date(at).getTimezoneOffset() * MINUTE_MS;
  return new Date(at - offset).toISOString().slice(0, 16);
}

/** A day of the service (`2026-11-28`, UTC), as the reader writes it. */
export function day(iso: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(iso));
}

/** The same where there is little room: without the year. */
export function shortDay(iso: string): string {
  return new Intl.DateTimeFormat(language, { month: 'short', day: 'numeric', timeZone: 'UTC' }).format(
    new Date(iso),
  );
}

const STEPS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** How long ago a time is: "3 hours ago". */
export function ago(iso: string): string {
  const seconds = (Date.parse(iso) - Date.now()) / 1000;
  const [unit, length] = STEPS.find(([, of]) => Math.abs(seconds) >= of) ?? (['second', 1] as const);
  return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(
    Math.round(seconds / length),
    unit,
  );
}

/** The beginning of a text that may be very long. */
export function cut(text: string, length: number): string {
  // No half of a character that has two code units.
  return text.length <= length ? text : `${text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
