import { Injectable } from '@nestjs/common';

/** What of a person is exported or erased. */
export interface PersonalScope {
  readonly userId: string;
  /** Of the account, in lower case. */
  readonly email: string | null;
  /** Only what they have in this organization; null for what they have in all of them. */
  readonly orgId: string | null;
  /** Whether what belongs to the account, and to no organization, is meant as well. */
  readonly ofAccount: boolean;
}

/** How many there are of each kind of thing. */
export type Counts = Readonly<Record<string, number>>;

/** An erasure that is under way. */
export interface ErasureRun {
  /**
   * Called after each batch that is committed, with the name of what it is of.
   * @throws when others go on with the erasure: nothing may be written any more then
   */
  done(batch: string): Promise<void>;
}

/** Records of a person that are exported into files of one name. */
export interface ExportedRecords {
  readonly name: string;
  /** Each as a line of JSON; read as they are taken, and no connection is held in between. */
  lines(): AsyncIterable<string>;
}

/** What a module keeps of a person. Whatever it does may be done again: an erasure goes on where a process died. */
export interface PersonalPart {
  readonly name: string;
  /** What of it the person gets. Never a secret, and nothing of anybody else. */
  exports?(scope: PersonalScope): readonly ExportedRecords[];
  /** What an erasure would remove. */
  count(scope: PersonalScope): Promise<Counts>;
  /** Ends what runs, and tells others that it ends; for all parts before anything is erased. */
  end?(scope: PersonalScope, run: ErasureRun): Promise<void>;
  /** Removes it, in batches that do not hold up others. */
  erase(scope: PersonalScope, run: ErasureRun): Promise<void>;
}

/** What the modules keep of people: each registers its part (docs/personal-data.md). */
@Injectable()
export class PersonalData {
  private readonly registered = new Map<string, PersonalPart>();

  /** @throws when there is a part of that name */
  register(part: PersonalPart): void {
    if (this.registered.has(part.name))
      throw new Error(`There are two parts of personal data: ${part.name}.`);
    this.registered.set(part.name, part);
  }

  /** By name, so that all processes go through them in the same order. */
  parts(): readonly PersonalPart[] {
    return [...this.registered.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }
}
