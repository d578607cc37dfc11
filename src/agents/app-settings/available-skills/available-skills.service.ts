import { Injectable } from '@nestjs/common';
import {
  clampLimit,
  Clock,
  type Page,
  PageIds,
  pageOf,
  type Person,
  PAGE_ID_EXAMPLE,
} from '../../../kernel/common';
import { MarketplaceSkillsService } from '../../skills';
import { ComposedMarketplaces } from '../settings/stored-settings';
import { Field, integer, list, model, oneOf, string } from '../../../kernel/validation';

/** How a skill comes up. */
const SKILL_TYPES = ['repo', 'knowledge', 'agentskills'] as const;

export class SkillSearch {
  @Field(string(), {
    optional: true,
    description: '`next_page_id` of the page before.',
    example: PAGE_ID_EXAMPLE,
  })
  page_id?: string;

  @Field(integer({ ge: 1 }), { description: 'Size of the page; above 100 counts as 100.' })
  limit = 100;
}

/** A skill that conversations may use. */
class AvailableSkill {
  @Field(string(), { description: 'Name of the skill.', example: 'release-notes' })
  name!: string;

  @Field(oneOf(SKILL_TYPES), { description: 'How it comes up: `knowledge` by its triggers.' })
  type!: (typeof SKILL_TYPES)[number];

  @Field(string(), {
    description: '`marketplace:` and the name of the registration.',
    example: 'marketplace:team',
  })
  source!: string;

  @Field(list(string()), { description: 'Words that bring it up.', example: ['changelog'] })
  triggers!: string[];
}

export class AvailableSkillPage {
  @Field(list(model(() => AvailableSkill)), { description: 'Skills, by name.' })
  items!: AvailableSkill[];

  @Field(string(), { nullable: true, description: 'Start of the next page; null on the last one.' })
  next_page_id!: string | null;
}

/** Pages of one walk, and pages that several people open, read the marketplaces once. */
const KEPT_MS = 60_000;
const MOST_KEPT = 200;
/** Of all that is kept together; a usual organization has some dozens. */
const MOST_KEPT_SKILLS = 200_000;
/** Registrations that are read: as many as a preview takes. */
const MOST_REGISTRATIONS = 20;

const PAGES = PageIds.byText('skills');

interface Kept {
  readonly skills: Promise<readonly AvailableSkill[]>;
  readonly until: number;
  /** How many skills; none while they are read. */
  size: number;
}

/** The skills of the marketplaces that somebody's conversations get (docs/contract.md#available-skills). */
@Injectable()
export class AvailableSkillsService {
  private readonly kept = new Map<string, Kept>();

  constructor(
    private readonly marketplaces: ComposedMarketplaces,
    private readonly previews: MarketplaceSkillsService,
    private readonly clock: Clock,
  ) {}

  /** @throws TooManyPreviewsError */
  async search(person: Person, { page_id: pageId, limit }: SkillSearch): Promise<Page<AvailableSkill>> {
    const first = PAGES.read(pageId) ?? '';
    const found = (await this.skillsOf(person)).filter((skill) => idOf(skill) >= first);
    return pageOf(
      found,
      clampLimit(limit),
      (skill) => skill,
      (skill) => PAGES.write(idOf(skill)),
    );
  }

  private async skillsOf(person: Person): Promise<readonly AvailableSkill[]> {
    const { orgId } = person;
    const { marketplaces } = await this.marketplaces.forConversation(person);
    const read = marketplaces.slice(0, MOST_REGISTRATIONS);
    if (read.length === 0) return [];
    const key = JSON.stringify([orgId, read]);
    const now = this.clock.monotonicMs();
    const known = this.kept.get(key);
    if (known !== undefined && known.until > now) return known.skills;
    // Other callers may still wait for it when the first one disconnects.
    const skills = this.previews
      .preview(orgId, read, new AbortController().signal)
      .then((preview) => preview.skills.map(toSkill).sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1)));
    const kept = { skills, until: now + KEPT_MS, size: 0 };
    this.keep(key, kept);
    skills.then(
      ({ length }) => {
        kept.size = length;
        this.forgetOldest();
      },
      () => this.kept.delete(key),
    );
    return skills;
  }

  private keep(key: string, kept: Kept): void {
    this.kept.delete(key);
    this.kept.set(key, kept);
    this.forgetOldest();
  }

  private forgetOldest(): void {
    let skills = 0;
    for (const { size } of this.kept.values()) skills += size;
    for (const [key, { size }] of this.kept) {
      if (this.kept.size <= MOST_KEPT && (skills <= MOST_KEPT_SKILLS || this.kept.size === 1)) return;
      this.kept.delete(key);
      skills -= size;
    }
  }
}

function toSkill({
  name,
  type,
  source,
  triggers,
}: Omit<AvailableSkill, 'type'> & { type: string }): AvailableSkill {
  return { name, type: type === 'repo' ? 'repo' : 'knowledge', source, triggers };
}

/** Two marketplaces may offer skills of one name. */
function idOf({ name, source }: AvailableSkill): string {
  return `${name} ${source}`;
}
