/** A number of a JSON text that a double does not represent as it was written: `1.0`, `1e3`, 25 digits. */
export class ExactNumber {
  readonly value: number;

  /** @param text the number as written in the JSON text */
  constructor(readonly text: string) {
    this.value = Number(text);
  }

  /** Written without a fraction or an exponent. */
  get isInteger(): boolean {
    return isIntegerText(this.text);
  }

  /** The nearest double, for `JSON.stringify`. */
  toJSON(): number {
    return this.value;
  }
}

const keyOrders = new WeakMap<object, readonly string[]>();

/** Records the order of an object's keys in the text: engines move digit keys to the front. */
export function recordKeyOrder(object: object, keys: readonly string[]): void {
  keyOrders.set(object, keys);
}

/** The keys of a JSON object in the order of the text, as far as it was read exactly. */
export function keysOf(object: object): readonly string[] {
  return keyOrders.get(object) ?? Object.keys(object);
}

/** A JSON object, as opposed to an array or a number that was read exactly. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
  );
}

/** @returns a copy of the value in which every exact number is the nearest double */
export function withPlainNumbers(value: unknown): unknown {
  if (value instanceof ExactNumber) return value.value;
  if (Array.isArray(value)) return value.map(withPlainNumbers);
  if (!isJsonObject(value)) return value;
  // fromEntries defines its properties, so that a key `__proto__` is data like any other.
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withPlainNumbers(member)]));
}

/** @param text a JSON number */
export function isIntegerText(text: string): boolean {
  return !/[.eE]/.test(text) && !text.endsWith('y');
}
