import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { OrgPath } from '../../../accounts/orgs';
import { Access, type Caller, CurrentCaller, RecentSignIn, KeptForUser } from '../../../kernel/auth';
import { PlainErrors } from '../../../kernel/validation';
import { ProfileOperations } from '../record/profile-operations';
import { ofCaller, ofOrganization } from '../record/profile-scope';
import { type ProfileChanged, ProfileRename } from '../record/profile.dto';
import {
  LlmProfileDetail,
  LlmProfileList,
  LlmProfilePath,
  LlmProfileSave,
  MODEL_WITH_KEY,
  NewLlmProfilePath,
  NewOrgLlmProfilePath,
  OrgLlmProfilePath,
} from './llm-profiles.dto';
import { LlmProfilesService } from './llm-profiles.service';

const UNKNOWN = 'There is no profile of this name.';
const ofUser = new ProfileOperations('your model profiles', UNKNOWN, true);
const ofOrg = new ProfileOperations("an organization's model profiles", UNKNOWN, false);

const SAVING = 'A new one, or another model for the one of this name. Conversations run on the active one.';

@ApiTags('Agent settings')
@KeptForUser()
@Controller('api/v1/settings/profiles')
export class UserLlmProfilesController {
  constructor(private readonly profiles: LlmProfilesService) {}

  @Get()
  @Access({ scope: 'manage_application_settings' })
  @ofUser.list(LlmProfileList, 'By name, without their keys.')
  listUserLlmProfiles(@CurrentCaller() caller: Caller): Promise<LlmProfileList> {
    return this.profiles.list(ofCaller(caller));
  }

  @Get(':name')
  @Access({ scope: 'manage_application_settings' })
  @ofUser.get(LlmProfileDetail, 'Without its key.')
  getUserLlmProfile(
    @CurrentCaller() caller: Caller,
    @Param() path: LlmProfilePath,
  ): Promise<LlmProfileDetail> {
    return this.profiles.get(ofCaller(caller), path.name);
  }

  @Post(':name')
  @RecentSignIn()
  @PlainErrors()
  @Access({ scope: 'manage_application_settings' })
  @ofUser.save(MODEL_WITH_KEY, SAVING)
  saveUserLlmProfile(
    @CurrentCaller() caller: Caller,
    @Param() path: NewLlmProfilePath,
    @Body() body: LlmProfileSave,
  ): Promise<ProfileChanged> {
    return this.profiles.save(ofCaller(caller), path.name, body.llm);
  }

  @Post(':name/rename')
  @Access({ scope: 'manage_application_settings' })
  @ofUser.rename('It stays active if it is.')
  renameUserLlmProfile(
    @CurrentCaller() caller: Caller,
    @Param() path: LlmProfilePath,
    @Body() body: ProfileRename,
  ): Promise<ProfileChanged> {
    return this.profiles.rename(ofCaller(caller), path.name, body.new_name);
  }

  @Post(':name/activate')
  @Access({ scope: 'manage_application_settings' })
  @ofUser.activate('Conversations that start from now on run on it.')
  activateUserLlmProfile(
    @CurrentCaller() caller: Caller,
    @Param() path: LlmProfilePath,
  ): Promise<ProfileChanged> {
    return this.profiles.activate(ofCaller(caller), path.name);
  }

  @Delete(':name')
  @RecentSignIn()
  @Access({ scope: 'manage_application_settings' })
  @ofUser.delete('With its key.')
  deleteUserLlmProfile(
    @CurrentCaller() caller: Caller,
    @Param() path: LlmProfilePath,
  ): Promise<ProfileChanged> {
    return this.profiles.delete(ofCaller(caller), path.name);
  }
}

@ApiTags('Agent settings')
@Controller('api/organizations/:org_id/profiles')
export class OrgLlmProfilesController {
  constructor(private readonly profiles: LlmProfilesService) {}

  @Get()
  @Access({ org: 'path', permission: 'view_org_settings' })
  @ofOrg.list(LlmProfileList, 'By name, without their keys.')
  listOrgLlmProfiles(@Param() path: OrgPath): Promise<LlmProfileList> {
    return this.profiles.list(ofOrganization(path.org_id));
  }

  @Get(':name')
  @Access({ org: 'path', permission: 'view_org_settings' })
  @ofOrg.get(LlmProfileDetail, 'Without its key.')
  getOrgLlmProfile(@Param() path: OrgLlmProfilePath): Promise<LlmProfileDetail> {
    return this.profiles.get(ofOrganization(path.org_id), path.name);
  }

  @Post(':name')
  @RecentSignIn()
  @PlainErrors()
  @Access({ org: 'path', permission: 'edit_org_settings' })
  @ofOrg.save(MODEL_WITH_KEY, SAVING)
  saveOrgLlmProfile(
    @Param() path: NewOrgLlmProfilePath,
    @Body() body: LlmProfileSave,
  ): Promise<ProfileChanged> {
    return this.profiles.save(ofOrganization(path.org_id), path.name, body.llm);
  }

  @Post(':name/rename')
  @Access({ org: 'path', permission: 'edit_org_settings' })
  @ofOrg.rename('It stays active if it is.')
  renameOrgLlmProfile(
    @Param() path: OrgLlmProfilePath,
    @Body() body: ProfileRename,
  ): Promise<ProfileChanged> {
    return this.profiles.rename(ofOrganization(path.org_id), path.name, body.new_name);
  }

  @Post(':name/activate')
  @Access({ org: 'path', permission: 'edit_org_settings' })
  @ofOrg.activate(
    'Conversations that start from now on run on it, unless their creators chose something else.',
  )
  activateOrgLlmProfile(@Param() path: OrgLlmProfilePath): Promise<ProfileChanged> {
    return this.profiles.activate(ofOrganization(path.org_id), path.name);
  }

  @Delete(':name')
  @RecentSignIn()
  @Access({ org: 'path', permission: 'edit_org_settings' })
  @ofOrg.delete('With its key.')
  deleteOrgLlmProfile(@Param() path: OrgLlmProfilePath): Promise<ProfileChanged> {
    return this.profiles.delete(ofOrganization(path.org_id), path.name);
  }
}
