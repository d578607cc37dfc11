import { Injectable } from '@nestjs/common';
import { type Actor, Actors } from '../../../kernel/auth';
import { checkGivenList } from '../../../kernel/validation';
import { MarketplaceRegistration } from '../registration/marketplace-registration.dto';
import type { MarketplaceSkillsPreviewResponse } from './marketplace-skills.dto';
import { MarketplaceSkillsService, MAX_REGISTRATIONS } from './marketplace-skills.service';

/** A marketplace to preview; fields with a default may be left out. */
export type GivenRegistration = Pick<MarketplaceRegistration, 'name' | 'source'> &
  Partial<MarketplaceRegistration>;

/** Plugin marketplaces, from inside (docs/extending.md#from-inside). */
@Injectable()
export class Marketplaces {
  constructor(
    private readonly marketplaces: MarketplaceSkillsService,
    private readonly actors: Actors,
  ) {}

  /**
   * What marketplaces offer, freshly fetched with the credentials of the organization; what cannot be read is among the errors.
   * @param signal ends it
   * @throws PermissionDeniedError, TooManyPreviewsError, ValidationError
   */
  async preview(
    actor: Actor,
    registrations: readonly GivenRegistration[],
    signal: AbortSignal = new AbortController().signal,
  ): Promise<MarketplaceSkillsPreviewResponse> {
    this.actors.require(actor, 'edit_org_settings');
    const checked = checkGivenList(MarketplaceRegistration, registrations, MAX_REGISTRATIONS);
    return this.marketplaces.preview(actor.orgId, checked, signal);
  }
}
