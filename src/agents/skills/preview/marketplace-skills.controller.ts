import { Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access, CurrentOrg, type OrgContext } from '../../../kernel/auth';
import { ApiErrors, ClientAbortSignal } from '../../../kernel/http';
import { BodyList } from '../../../kernel/validation';
import { MarketplaceRegistration } from '../registration/marketplace-registration.dto';
import { MarketplaceSkillsPreviewResponse } from './marketplace-skills.dto';
import {
  MarketplaceSkillsService,
  MAX_REGISTRATIONS,
  TooManyPreviewsError,
} from './marketplace-skills.service';

@ApiTags('Skills')
@Controller('api/v1/skills')
export class MarketplaceSkillsController {
  constructor(private readonly marketplaces: MarketplaceSkillsService) {}

  @Post('marketplace-skills')
  @HttpCode(200)
  @Access({ org: 'effective', permission: 'edit_org_settings' })
  @ApiOperation({
    summary: 'Preview plugin marketplaces',
    description:
      'Shows which skills and plugins they offer, freshly fetched and without a sandbox. A marketplace that cannot be read is told in `errors` beside what the others offer.',
  })
  @ApiOkResponse({
    type: MarketplaceSkillsPreviewResponse,
    description: 'What could be read, and problems; also when none could be fetched.',
  })
  @ApiErrors({ 429: 'As many previews run as may run at once.' }, new TooManyPreviewsError(5))
  previewMarketplaceSkills(
    @CurrentOrg() org: OrgContext,
    @BodyList(MarketplaceRegistration, {
      max: MAX_REGISTRATIONS,
      example: [{ name: 'team', source: 'github:acme/marketplace', ref: 'main' }],
    })
    registrations: MarketplaceRegistration[],
    @ClientAbortSignal() clientAbort: AbortSignal,
  ): Promise<MarketplaceSkillsPreviewResponse> {
    return this.marketplaces.preview(org.orgId, registrations, clientAbort);
  }
}
