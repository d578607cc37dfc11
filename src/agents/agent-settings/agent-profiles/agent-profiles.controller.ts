import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { type ApiBodyOptions, ApiTags } from '@nestjs/swagger';
import { OrgPath } from '../../../accounts/orgs';
import { Access, type Caller, CurrentCaller, KeptForUser } from '../../../kernel/auth';
import { ProfileOperations } from '../record/profile-operations';
import { ofCaller, ofOrganization } from '../record/profile-scope';
import { type ProfileChanged, ProfileRename } from '../record/profile.dto';
import {
  AgentProfileDetail,
  AgentProfileList,
  AgentProfilePath,
  AgentProfileSave,
  NewAgentProfilePath,
  NewOrgAgentProfilePath,
  OrgAgentProfilePath,
} from './agent-profiles.dto';
import { AgentProfilesService } from './agent-profiles.service';

const ofUser = new ProfileOperations('your agent profiles', 'You have no profile of this name.', true);
const ofOrg = new ProfileOperations(
  "an organization's agent profiles",
  'There is no profile of this name.',
  false,
);

/** The documented body of saving a profile. */
const ON_MODEL_PROFILE: ApiBodyOptions = {
  type: AgentProfileSave,
  examples: { 'An agent on a model profile': { value: { llm_profile_ref: 'Fast' } } },
};

@ApiTags('Agent settings')
@Access({ scope: 'manage_application_settings' })
@KeptForUser()
@Controller('api/agent-profiles')
export class UserAgentProfilesController {
  constructor(private readonly profiles: AgentProfilesService) {}

  @Get()
  @ofUser.list(
    AgentProfileList,
    'By name. A start request names one by its id; without that, the active one counts.',
  )
  listAgentProfiles(@CurrentCaller() caller: Caller): Promise<AgentProfileList> {
    return this.profiles.list(ofCaller(caller));
  }

  @Get(':name')
  @ofUser.get(AgentProfileDetail, 'By its name.')
  getAgentProfile(
    @CurrentCaller() caller: Caller,
    @Param() path: AgentProfilePath,
  ): Promise<AgentProfileDetail> {
    return this.profiles.get(ofCaller(caller), path.name);
  }

  @Post(':name')
  @ofUser.save(ON_MODEL_PROFILE, 'A new one, or a change of the one of this name.')
  saveAgentProfile(
    @CurrentCaller() caller: Caller,
    @Param() path: NewAgentProfilePath,
    @Body() body: AgentProfileSave,
  ): Promise<ProfileChanged> {
    return this.profiles.save(ofCaller(caller), path.name, body);
  }

  @Post(':name/rename')
  @ofUser.rename('Its id stays.')
  renameAgentProfile(
    @CurrentCaller() caller: Caller,
    @Param() path: AgentProfilePath,
    @Body() body: ProfileRename,
  ): Promise<ProfileChanged> {
    return this.profiles.rename(ofCaller(caller), path.name, body.new_name);
  }

  @Post(':name/activate')
  @ofUser.activate('By its id or its name. Your conversations start with it from now on.')
  activateAgentProfile(
    @CurrentCaller() caller: Caller,
    @Param() path: AgentProfilePath,
  ): Promise<ProfileChanged> {
    return this.profiles.activate(ofCaller(caller), path.name);
  }

  @Delete(':name')
  @ofUser.delete('Its model profile stays.')
  deleteAgentProfile(
    @CurrentCaller() caller: Caller,
    @Param() path: AgentProfilePath,
  ): Promise<ProfileChanged> {
    return this.profiles.delete(ofCaller(caller), path.name);
  }
}

@ApiTags('Agent settings')
@Controller('api/organizations/:org_id/agent-profiles')
export class OrgAgentProfilesController {
  constructor(private readonly profiles: AgentProfilesService) {}

  @Get()
  @Access({ org: 'path', permission: 'view_org_settings' })
  @ofOrg.list(
    AgentProfileList,
    'By name. A start request names one by its id; without that, the active one counts for members who have no active one of their own.',
  )
  listOrgAgentProfiles(@Param() path: OrgPath): Promise<AgentProfileList> {
    return this.profiles.list(ofOrganization(path.org_id));
  }

  @Get(':name')
  @Access({ org: 'path', permission: 'view_org_settings' })
  @ofOrg.get(AgentProfileDetail, 'By its name.')
  getOrgAgentProfile(@Param() path: OrgAgentProfilePath): Promise<AgentProfileDetail> {
    return this.profiles.get(ofOrganization(path.org_id), path.name);
  }

  @Post(':name')
  @Access({ org: 'path', permission: 'edit_org_settings' })
  @ofOrg.save(ON_MODEL_PROFILE, 'A new one, or a change of the one of this name.')
  saveOrgAgentProfile(
    @Param() path: NewOrgAgentProfilePath,
    @Body() body: AgentProfileSave,
  ): Promise<ProfileChanged> {
    return this.profiles.save(ofOrganization(path.org_id), path.name, body);
  }

  @Post(':name/rename')
  @Access({ org: 'path', permission: 'edit_org_settings' })
  @ofOrg.rename('Its id stays.')
  renameOrgAgentProfile(
    @Param() path: OrgAgentProfilePath,
    @Body() body: ProfileRename,
  ): Promise<ProfileChanged> {
    return this.profiles.rename(ofOrganization(path.org_id), path.name, body.new_name);
  }

  @Post(':name/activate')
  @Access({ org: 'path', permission: 'edit_org_settings' })
  @ofOrg.activate(
    'By its id or its name. Conversations of members who have no active one of their own start with it from now on.',
  )
  activateOrgAgentProfile(@Param() path: OrgAgentProfilePath): Promise<ProfileChanged> {
    return this.profiles.activate(ofOrganization(path.org_id), path.name);
  }

  @Delete(':name')
  @Access({ org: 'path', permission: 'edit_org_settings' })
  @ofOrg.delete('Its model profile stays.')
  deleteOrgAgentProfile(@Param() path: OrgAgentProfilePath): Promise<ProfileChanged> {
    return this.profiles.delete(ofOrganization(path.org_id), path.name);
  }
}
