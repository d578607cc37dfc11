import { AllowedHosts } from '../../common';
import { type Settings } from '../../config';
import { CloneSlots } from '../fetch/clone-slots';
import { FetchService } from '../fetch/fetch.service';
import { type MarketplaceOffer, MarketplaceReader } from '../manifest/marketplace-reader';
import type { MarketplaceRegistration } from '../registration/marketplace-registration.dto';
/** Previews the marketplace of one registration. */
export declare class MarketplacePreview {
    private readonly settings;
    private readonly allowedHosts;
    private readonly slots;
    private readonly fetching;
    private readonly reader;
    constructor(settings: Settings, allowedHosts: AllowedHosts, slots: CloneSlots, fetching: FetchService, reader: MarketplaceReader);
    /**
     * Fetches it and reads its manifest or its skill files.
     * @param orgId the organization whose credentials may be used
     * @throws RegistrationProblem, or the signal's reason
     */
    of(registration: MarketplaceRegistration, orgId: string, signal: AbortSignal): Promise<MarketplaceOffer>;
    private ofFolder;
    private withinTime;
}
