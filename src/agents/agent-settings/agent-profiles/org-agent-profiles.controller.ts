import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { OrgPath } from '../../../accounts/orgs';
import { Access } from '../../../kernel/auth';
import { ofOrganization } from '../record/profile-scope';
import { type ProfileChanged, ProfileRename } from '../record/profile.dto';
import { AgentProfileOperations } from './agent-profile-operations';
import {
  type AgentProfileDetail,
  type AgentProfileList,
  AgentProfileSave,
  NewOrgAgentProfilePath,
  OrgAgentProfilePath,
} from './agent-profiles.dto';
import { AgentProfilesService } from './agent-profiles.service';

const operations = new AgentProfileOperations(
  {
    whose: "an organization's",
    unknown: 'There is no profile of this name.',
    byDefault: 'without that, the active one counts for members who have no active one of their own.',
    activation: 'Conversations of members who have no active one of their own start with it from now on.',
  },
  false,
);

@ApiTags('Agent settings')
@Controller('api/organizations/:org_id/agent-profiles')
export class OrgAgentProfilesController {
  constructor(private readonly profiles: AgentProfilesService) {}

  @Get()
  @Access({ org: 'path', permission: 'view_org_settings' })
  @operations.list()
  listOrgAgentProfiles(@Param() path: OrgPath): Promise<AgentProfileList> {
    return this.profiles.list(ofOrganization(path.org_id));
  }

  @Get(':name')
  @Access({ org: 'path', permission: 'view_org_settings' })
  @operations.get()
  getOrgAgentProfile(@Param() path: OrgAgentProfilePath): Promise<AgentProfileDetail> {
    return this.profiles.get(ofOrganization(path.org_id), path.name);
  }

  @Post(':name')
  @Access({ org: 'path', permission: 'edit_org_settings' })
  @operations.save()
  saveOrgAgentProfile(
    @Param() path: NewOrgAgentProfilePath,
    @Body() body: AgentProfileSave,
  ): Promise<ProfileChanged> {
    return this.profiles.save(ofOrganization(path.org_id), path.name, body);
  }

  @Post(':name/rename')
  @Access({ org: 'path', permission: 'edit_org_settings' })
  @operations.rename()
  renameOrgAgentProfile(
    @Param() path: OrgAgentProfilePath,
    @Body() body: ProfileRename,
  ): Promise<ProfileChanged> {
    return this.profiles.rename(ofOrganization(path.org_id), path.name, body.new_name);
  }

  @Post(':name/activate')
  @Access({ org: 'path', permission: 'edit_org_settings' })
  @operations.activate()
  activateOrgAgentProfile(@Param() path: OrgAgentProfilePath): Promise<ProfileChanged> {
    return this.profiles.activate(ofOrganization(path.org_id), path.name);
  }

  @Delete(':name')
  @Access({ org: 'path', permission: 'edit_org_settings' })
  @operations.delete()
  deleteOrgAgentProfile(@Param() path: OrgAgentProfilePath): Promise<ProfileChanged> {
    return this.profiles.delete(ofOrganization(path.org_id), path.name);
  }
}
