import { z } from 'zod';
import { appError } from '../app-error';
import { uuidText } from '../ids';

/** 400: a page that this list has not answered (docs/contract.md#pages). */
export const PageIdInvalidError = appError(
  400,
  'page_id_invalid',
  'The page_id is none of this list; start with its first page.',
);

/** What a page id looks like; of no list. */
export const PAGE_ID_EXAMPLE = Buffer.from(JSON.stringify(['example', 'next'])).toString('base64url');

/** A time in the place of a page, as `Date.toISOString` writes it: JavaScript takes many more texts for dates than the database does. */
export const pageInstant = z
  .string()
  .refine((text) => /^\d{4}-/.test(text) && !text.startsWith('0000') && isWritten(text))
  .transform((text) => new Date(text));

/**
 * The page ids of one list: which list it is, and the place in its order at which the page starts, so that it can be found
 * although the item there is gone meanwhile.
 */
export class PageIds<Place> {
  /**
   * @param list its name; with what else a page belongs to, such as its order
   * @param place reads the place
   */
  constructor(
    private readonly list: string,
    private readonly place: z.ZodType<Place>,
  ) {}

  /** @param list its name, with what else a page belongs to */
  static byTime(list: string): PageIds<{ at: Date; id: string }> {
    return new PageIds(list, z.object({ at: pageInstant, id: uuidText }));
  }

  static byId(list: string): PageIds<string> {
    return new PageIds(list, uuidText);
  }

  static byText(list: string): PageIds<string> {
    return new PageIds(list, z.string());
  }

  write(place: Place): string {
    return Buffer.from(JSON.stringify([this.list, place])).toString('base64url');
  }

  /**
   * @param pageId null or undefined for the first page
   * @returns where the page starts; null for the first page
   * @throws PageIdInvalidError for what {@link write} has not written
   */
  read(pageId: string | null | undefined): Place | null {
    if (pageId === null || pageId === undefined) return null;
    try {
      const [list, place] = z
        .tuple([z.literal(this.list), this.place])
        .parse(JSON.parse(Buffer.from(pageId, 'base64url').toString()));
      if (this.list === list && this.write(place) === pageId) return place;
    } catch {
      // Read as any other text.
    }
    throw new PageIdInvalidError();
  }
}

function isWritten(text: string): boolean {
  return !Number.isNaN(Date.parse(text)) && new Date(text).toISOString() === text;
}
