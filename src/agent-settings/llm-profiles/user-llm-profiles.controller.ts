import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access, type Caller, CurrentCaller } from '../../auth';
import { ApiErrors } from '../../http';
import { PlainFaults } from '../../validation';
import {
  ProfileExistsError,
  ProfileNotFoundError,
  ProfileOfAllOrganizationsError,
  TooManyProfilesError,
} from '../record/profile-errors';
import { MAX_PROFILES } from '../record/profile-fields';
import { ofCaller } from '../record/profile-scope';
import {
  LlmProfileDetail,
  LlmProfileList,
  LlmProfilePath,
  LlmProfileSave,
  NewLlmProfilePath,
  ProfileChanged,
  ProfileRename,
} from './llm-profiles.dto';
import { LlmProfilesService } from './llm-profiles.service';

const UNKNOWN = 'There is no profile of this name.';
const NOT_HERE = 'It holds in all of your organizations, and the key is bound to one.';

@ApiTags('Agent settings')
@Controller('api/v1/settings/profiles')
export class UserLlmProfilesController {
  constructor(private readonly profiles: LlmProfilesService) {}

  @Get()
  @Access()
  @ApiOperation({ summary: 'List your model profiles', description: 'By name, without their keys.' })
  @ApiOkResponse({ type: LlmProfileList, description: 'The profiles.' })
  listUserLlmProfiles(@CurrentCaller() caller: Caller): Promise<LlmProfileList> {
    return this.profiles.list(ofCaller(caller));
  }

  @Get(':name')
  @Access()
  @ApiOperation({ summary: 'Read one of your model profiles', description: 'Without its key.' })
  @ApiOkResponse({ type: LlmProfileDetail, description: 'The profile.' })
  @ApiErrors({ 404: UNKNOWN }, new ProfileNotFoundError())
  getUserLlmProfile(
    @CurrentCaller() caller: Caller,
    @Param() path: LlmProfilePath,
  ): Promise<LlmProfileDetail> {
    return this.profiles.get(ofCaller(caller), path.name);
  }

  @Post(':name')
  @PlainFaults()
  @HttpCode(200)
  @Access()
  @ApiOperation({
    summary: 'Save one of your model profiles',
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
  saveUserLlmProfile(
    @CurrentCaller() caller: Caller,
    @Param() path: NewLlmProfilePath,
    @Body() body: LlmProfileSave,
  ): Promise<ProfileChanged> {
    return this.profiles.save(ofCaller(caller), path.name, body.llm);
  }

  @Post(':name/rename')
  @HttpCode(200)
  @Access()
  @ApiOperation({ summary: 'Rename one of your model profiles', description: 'It stays active if it is.' })
  @ApiOkResponse({ type: ProfileChanged, description: 'It is renamed.' })
  @ApiErrors(
    { 403: NOT_HERE, 404: UNKNOWN, 409: 'There is another one of the new name.' },
    new ProfileOfAllOrganizationsError(),
    new ProfileNotFoundError(),
    new ProfileExistsError(),
  )
  @ApiBody({ type: ProfileRename, examples: { 'Another name': { value: { new_name: 'Thorough' } } } })
  renameUserLlmProfile(
    @CurrentCaller() caller: Caller,
    @Param() path: LlmProfilePath,
    @Body() body: ProfileRename,
  ): Promise<ProfileChanged> {
    return this.profiles.rename(ofCaller(caller), path.name, body.new_name);
  }

  @Post(':name/activate')
  @HttpCode(200)
  @Access()
  @ApiOperation({
    summary: 'Activate one of your model profiles',
    description: 'Conversations that start from now on run on it.',
  })
  @ApiOkResponse({ type: ProfileChanged, description: 'It is active.' })
  @ApiErrors(
    { 403: NOT_HERE, 404: UNKNOWN },
    new ProfileOfAllOrganizationsError(),
    new ProfileNotFoundError(),
  )
  activateUserLlmProfile(
    @CurrentCaller() caller: Caller,
    @Param() path: LlmProfilePath,
  ): Promise<ProfileChanged> {
    return this.profiles.activate(ofCaller(caller), path.name);
  }

  @Delete(':name')
  @Access()
  @ApiOperation({ summary: 'Delete one of your model profiles', description: 'With its key.' })
  @ApiOkResponse({ type: ProfileChanged, description: 'It is deleted.' })
  @ApiErrors(
    { 403: NOT_HERE, 404: UNKNOWN },
    new ProfileOfAllOrganizationsError(),
    new ProfileNotFoundError(),
  )
  deleteUserLlmProfile(
    @CurrentCaller() caller: Caller,
    @Param() path: LlmProfilePath,
  ): Promise<ProfileChanged> {
    return this.profiles.delete(ofCaller(caller), path.name);
  }
}
