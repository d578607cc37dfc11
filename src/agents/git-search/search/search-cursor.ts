import { z } from 'zod';
import { digestOf, PageIdInvalidError, type Person, SecretBox } from '../../../kernel/common';
import { GitProviderFailedError } from '../provider-calls/provider-answer';

const MAX_NEXT = 1_000;

const searchPlace = z.object({
  credential: z.string(),
  next: z.string().nullable(),
  size: z.number().int().min(1),
});

/** Where a search goes on: with which credential, at which page of the provider, of which size. */
export type SearchPlace = z.infer<typeof searchPlace>;

/** What a page id is bound to. */
interface SearchKind {
  readonly person: Person;
  /** The kind of the search and its parameters. */
  readonly scope: readonly (string | null)[];
}

/** Page ids of searches: sealed, so that nobody reads or makes one, and of one caller and one search only. */
export class SearchCursors {
  constructor(private readonly box: SecretBox) {}

  /** @throws GitProviderFailedError when the provider names its page at too great a length */
  write(kind: SearchKind, place: SearchPlace): string {
    if ((place.next?.length ?? 0) > MAX_NEXT)
      throw new GitProviderFailedError('its answer is not of its API');
    return this.box.seal(JSON.stringify(place), contextOf(kind));
  }

  /** @throws PageIdInvalidError */
  read(kind: SearchKind, text: string): SearchPlace {
    try {
      return searchPlace.parse(JSON.parse(this.box.open(text, contextOf(kind))));
    } catch {
      throw new PageIdInvalidError();
    }
  }
}

function contextOf({ person: { userId, orgId }, scope }: SearchKind): string {
  return `git-search:${userId}:${orgId}:${digestOf(JSON.stringify(scope))}`;
}
