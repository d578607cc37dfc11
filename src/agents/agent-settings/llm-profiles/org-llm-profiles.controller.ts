import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { OrgPath } from '../../../accounts/orgs';
import { Access, RecentSignIn } from '../../../kernel/auth';
import { PlainFaults } from '../../../kernel/validation';
import { ProfileOperations } from '../record/profile-operations';
import { ofOrganization } from '../record/profile-scope';
import { type ProfileChanged, ProfileRename } from '../record/profile.dto';
import {
  LlmProfileDetail,
  LlmProfileList,
  LlmProfileSave,
  MODEL_WITH_KEY,
  NewOrgLlmProfilePath,
  OrgLlmProfilePath,
} from './llm-profiles.dto';
import { LlmProfilesService } from './llm-profiles.service';

const operations = new ProfileOperations('There is no profile of this name.', false);

@ApiTags('Agent settings')
@Controller('api/organizations/:org_id/profiles')
export class OrgLlmProfilesController {
  constructor(private readonly profiles: LlmProfilesService) {}

  @Get()
  @Access({ org: 'path', permission: 'view_org_settings' })
  @ApiOperation({
    summary: "List an organization's model profiles",
    description: 'By name, without their keys.',
  })
  @ApiOkResponse({ type: LlmProfileList, description: 'The profiles.' })
  listOrgLlmProfiles(@Param() path: OrgPath): Promise<LlmProfileList> {
    return this.profiles.list(ofOrganization(path.org_id));
  }

  @Get(':name')
  @Access({ org: 'path', permission: 'view_org_settings' })
  @operations.get(
    { summary: "Read one of an organization's model profiles", description: 'Without its key.' },
    LlmProfileDetail,
  )
  getOrgLlmProfile(@Param() path: OrgLlmProfilePath): Promise<LlmProfileDetail> {
    return this.profiles.get(ofOrganization(path.org_id), path.name);
  }

  @Post(':name')
  @RecentSignIn()
  @PlainFaults()
  @Access({ org: 'path', permission: 'edit_org_settings' })
  @operations.save(
    {
      summary: "Save one of an organization's model profiles",
      description:
        'A new one, or another model for the one of this name. Conversations run on the active one.',
    },
    MODEL_WITH_KEY,
  )
  saveOrgLlmProfile(
    @Param() path: NewOrgLlmProfilePath,
    @Body() body: LlmProfileSave,
  ): Promise<ProfileChanged> {
    return this.profiles.save(ofOrganization(path.org_id), path.name, body.llm);
  }

  @Post(':name/rename')
  @Access({ org: 'path', permission: 'edit_org_settings' })
  @operations.rename({
    summary: "Rename one of an organization's model profiles",
    description: 'It stays active if it is.',
  })
  renameOrgLlmProfile(
    @Param() path: OrgLlmProfilePath,
    @Body() body: ProfileRename,
  ): Promise<ProfileChanged> {
    return this.profiles.rename(ofOrganization(path.org_id), path.name, body.new_name);
  }

  @Post(':name/activate')
  @Access({ org: 'path', permission: 'edit_org_settings' })
  @operations.activate({
    summary: "Activate one of an organization's model profiles",
    description:
      'Conversations that start from now on run on it, unless their creators chose something else.',
  })
  activateOrgLlmProfile(@Param() path: OrgLlmProfilePath): Promise<ProfileChanged> {
    return this.profiles.activate(ofOrganization(path.org_id), path.name);
  }

  @Delete(':name')
  @RecentSignIn()
  @Access({ org: 'path', permission: 'edit_org_settings' })
  @operations.delete({
    summary: "Delete one of an organization's model profiles",
    description: 'With its key.',
  })
  deleteOrgLlmProfile(@Param() path: OrgLlmProfilePath): Promise<ProfileChanged> {
    return this.profiles.delete(ofOrganization(path.org_id), path.name);
  }
}
