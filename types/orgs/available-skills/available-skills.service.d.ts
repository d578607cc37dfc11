import { Clock, type Page, type Person } from '../../common';
import { MarketplaceSkillsService } from '../../skills';
import { ComposedMarketplaces } from '../app-settings/composed-marketplaces';
import type { AvailableSkill, SkillSearch } from './available-skills.dto';
/** The skills of the marketplaces that somebody's conversations get (docs/contract.md#available-skills). */
export declare class AvailableSkillsService {
    private readonly marketplaces;
    private readonly previews;
    private readonly clock;
    private readonly kept;
    constructor(marketplaces: ComposedMarketplaces, previews: MarketplaceSkillsService, clock: Clock);
    /** @throws TooManyPreviewsError */
    search(person: Person, { page_id: first, limit }: SkillSearch): Promise<Page<AvailableSkill>>;
    private skillsOf;
    private keep;
}
