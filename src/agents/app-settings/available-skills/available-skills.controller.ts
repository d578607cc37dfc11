import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  Access,
  type Caller,
  CurrentCaller,
  CurrentOrg,
  type OrgContext,
  personOf,
} from '../../../kernel/auth';
import { ApiErrors } from '../../../kernel/http';
import { TooManyPreviewsError } from '../../skills';
import { AvailableSkillPage, AvailableSkillsService, SkillSearch } from './available-skills.service';

@ApiTags('Skills')
@Controller('api/v1/skills')
export class AvailableSkillsController {
  constructor(private readonly skills: AvailableSkillsService) {}

  @Get('search')
  @Access({ org: 'effective', scope: 'use_conversations' })
  @ApiOperation({
    summary: 'Search the skills that your conversations may use',
    description:
      'Those that the marketplaces of installation, organization and user offer outside of plugins, by name; what cannot be fetched is left out. Up to a minute old.',
  })
  @ApiOkResponse({ type: AvailableSkillPage, description: 'One page.' })
  @ApiErrors({ 429: 'As many previews run as may run at once.' }, new TooManyPreviewsError(5))
  searchSkills(
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
    @Query() query: SkillSearch,
  ): Promise<AvailableSkillPage> {
    return this.skills.search(personOf(caller, org), query);
  }
}
