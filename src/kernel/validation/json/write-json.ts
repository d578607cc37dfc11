import { ExactNumber, isJsonObject, keysOf } from './exact-values';

/**
 * Writes a value as compact JSON, numbers as they were sent and keys in their order; what JSON cannot
 * represent becomes `null`.
 * @param budget the most characters it may take
 * @returns the text, or undefined when it would be longer
 */
export function writeJson(value: unknown, budget: number): string | undefined {
  const writer = new JsonWriter(budget);
  return writer.write(value) ? writer.text : undefined;
}

class JsonWriter {
  text = '';

  constructor(private readonly budget: number) {}

  /** @returns false as soon as the text is longer than the budget */
  write(value: unknown): boolean {
    if (typeof value === 'string') {
      // Quoting makes a text longer, never shorter.
      if (this.text.length + value.length > this.budget) return false;
      this.text += JSON.stringify(value);
    } else if (value instanceof ExactNumber) {
      this.text += Number.isFinite(value.value) || value.isInteger ? value.text : 'null';
    } else if (Array.isArray(value)) {
      return this.list(value);
    } else if (isJsonObject(value)) {
      return this.object(value);
    } else {
      this.text += JSON.stringify(value ?? null);
    }
    return this.text.length <= this.budget;
  }

  private list(items: readonly unknown[]): boolean {
    this.text += '[';
    for (let i = 0; i < items.length; i++) {
      if (i > 0) this.text += ',';
      if (!this.write(items[i])) return false;
    }
    this.text += ']';
    return this.text.length <= this.budget;
  }

  private object(members: Readonly<Record<string, unknown>>): boolean {
    this.text += '{';
    let first = true;
    for (const key of keysOf(members)) {
      if (!first) this.text += ',';
      first = false;
      this.text += `${JSON.stringify(key)}:`;
      if (!this.write(members[key])) return false;
    }
    this.text += '}';
    return this.text.length <= this.budget;
  }
}
