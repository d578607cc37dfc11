import { storableText } from './text';

/** Texts that a trigram index can find: not shorter ones, nor punctuation alone. */
const INDEXED = /[\p{L}\p{N}]{3}/u;

/** What a list is searched for as a part of texts (docs/contract.md#organization-list). */
export class WantedText {
  private constructor(readonly text: string) {}

  /** @returns null where nothing is searched for */
  static of(given: string | null): WantedText | null {
    const text = storableText(given ?? '').trim();
    // Normalized before wildcards are escaped: some letters turn into one.
    return text === '' ? null : new WantedText(text.normalize('NFKC'));
  }

  /** Whether a trigram index can look for it. */
  get isIndexed(): boolean {
    return INDEXED.test(this.text);
  }

  /** The text within a pattern of `LIKE`: wildcards stand for themselves. */
  get inPattern(): string {
    return this.text.replaceAll(/[\\%_]/g, '\\$&');
  }
}
