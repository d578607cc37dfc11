import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../auth';
import { ApiErrors } from '../../http';
import { PlainFaults } from '../../validation';
import { ProfileExistsError, ProfileNotFoundError, TooManyProfilesError } from '../record/profile-errors';
import { MAX_PROFILES } from '../record/profile-fields';
import { ofOrganization } from '../record/profile-scope';
import {
  LlmProfileDetail,
  LlmProfileList,
  LlmProfileSave,
  NewOrgLlmProfilePath,
  OrgLlmProfilePath,
  OrgLlmProfilesPath,
  ProfileChanged,
  ProfileRename,
} from './llm-profiles.dto';
import { LlmProfilesService } from './llm-profiles.service';

const UNKNOWN = 'There is no profile of this name.';

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
  listOrgLlmProfiles(@Param() path: OrgLlmProfilesPath): Promise<LlmProfileList> {
    return this.profiles.list(ofOrganization(path.org_id));
  }

  @Get(':name')
  @Access({ org: 'path', permission: 'view_org_settings' })
  @ApiOperation({ summary: "Read one of an organization's model profiles", description: 'Without its key.' })
  @ApiOkResponse({ type: LlmProfileDetail, description: 'The profile.' })
  @ApiErrors({ 404: UNKNOWN }, new ProfileNotFoundError())
  getOrgLlmProfile(@Param() path: OrgLlmProfilePath): Promise<LlmProfileDetail> {
    return this.profiles.get(ofOrganization(path.org_id), path.name);
  }

  @Post(':name')
  @PlainFaults()
  @HttpCode(200)
  @Access({ org: 'path', permission: 'edit_org_settings' })
  @ApiOperation({
    summary: "Save one of an organization's model profiles",
    description: 'A new one, or another model for the one of this name. Conversations run on the active one.',
  })
  @ApiOkResponse({ type: ProfileChanged, description: 'It is saved.' })
  @ApiErrors({ 409: 'There are as many as there may be.' }, new TooManyProfilesError(MAX_PROFILES))
  @ApiBody({
    type: LlmProfileSave,
    examples: {
      'A model with its key': { value: { llm: { model: 'openai/gpt-5', api_key: 'sk-example' } } },
    },
  })
  saveOrgLlmProfile(
    @Param() path: NewOrgLlmProfilePath,
    @Body() body: LlmProfileSave,
  ): Promise<ProfileChanged> {
    return this.profiles.save(ofOrganization(path.org_id), path.name, body.llm);
  }

  @Post(':name/rename')
  @HttpCode(200)
  @Access({ org: 'path', permission: 'edit_org_settings' })
  @ApiOperation({
    summary: "Rename one of an organization's model profiles",
    description: 'It stays active if it is.',
  })
  @ApiOkResponse({ type: ProfileChanged, description: 'It is renamed.' })
  @ApiErrors(
    { 404: UNKNOWN, 409: 'There is another one of the new name.' },
    new ProfileNotFoundError(),
    new ProfileExistsError(),
  )
  @ApiBody({ type: ProfileRename, examples: { 'Another name': { value: { new_name: 'Thorough' } } } })
  renameOrgLlmProfile(
    @Param() path: OrgLlmProfilePath,
    @Body() body: ProfileRename,
  ): Promise<ProfileChanged> {
    return this.profiles.rename(ofOrganization(path.org_id), path.name, body.new_name);
  }

  @Post(':name/activate')
  @HttpCode(200)
  @Access({ org: 'path', permission: 'edit_org_settings' })
  @ApiOperation({
    summary: "Activate one of an organization's model profiles",
    description:
      'Conversations that start from now on run on it, unless their creators chose something else.',
  })
  @ApiOkResponse({ type: ProfileChanged, description: 'It is active.' })
  @ApiErrors({ 404: UNKNOWN }, new ProfileNotFoundError())
  activateOrgLlmProfile(@Param() path: OrgLlmProfilePath): Promise<ProfileChanged> {
    return this.profiles.activate(ofOrganization(path.org_id), path.name);
  }

  @Delete(':name')
  @Access({ org: 'path', permission: 'edit_org_settings' })
  @ApiOperation({ summary: "Delete one of an organization's model profiles", description: 'With its key.' })
  @ApiOkResponse({ type: ProfileChanged, description: 'It is deleted.' })
  @ApiErrors({ 404: UNKNOWN }, new ProfileNotFoundError())
  deleteOrgLlmProfile(@Param() path: OrgLlmProfilePath): Promise<ProfileChanged> {
    return this.profiles.delete(ofOrganization(path.org_id), path.name);
  }
}
