import { type OrgContext } from '../../auth';
import { MarketplaceRegistration } from '../registration/marketplace-registration.dto';
import { MarketplaceSkillsPreviewResponse } from './marketplace-skills.dto';
import { MarketplaceSkillsService } from './marketplace-skills.service';
export declare class MarketplaceSkillsController {
    private readonly marketplaces;
    constructor(marketplaces: MarketplaceSkillsService);
    previewMarketplaceSkills(org: OrgContext, registrations: MarketplaceRegistration[], clientAbort: AbortSignal): Promise<MarketplaceSkillsPreviewResponse>;
}
