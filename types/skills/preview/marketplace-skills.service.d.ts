import { type OnModuleDestroy } from '@nestjs/common';
import { type Settings } from '../../config';
import { MarketplacePreview } from './marketplace-preview';
import type { MarketplaceRegistration } from '../registration/marketplace-registration.dto';
import type { MarketplaceSkillsPreviewResponse } from './marketplace-skills.dto';
/** Answers what a list of registrations offers (docs/contract.md#marketplace-preview). */
export declare class MarketplaceSkillsService implements OnModuleDestroy {
    private readonly settings;
    private readonly previews;
    private readonly logger;
    private readonly stopping;
    private readonly calls;
    constructor(settings: Settings, previews: MarketplacePreview);
    onModuleDestroy(): Promise<void>;
    /**
     * Fetches all registrations, several at once; one that fails does not stop the others.
     * @param clientAbort aborts everything when the client disconnects
     * @throws TooManyPreviewsError
     */
    preview(orgId: string, registrations: readonly MarketplaceRegistration[], clientAbort: AbortSignal): Promise<MarketplaceSkillsPreviewResponse>;
    private one;
}
