import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access, type Caller, CurrentCaller } from '../../auth';
import { ApiErrors } from '../../http';
import { ProfileChanged, ProfileRename } from '../llm-profiles/llm-profiles.dto';
import {
  ProfileExistsError,
  ProfileNotFoundError,
  ProfileOfAllOrganizationsError,
  TooManyProfilesError,
} from '../record/profile-errors';
import { MAX_PROFILES } from '../record/profile-fields';
import { ofCaller } from '../record/profile-scope';
import {
  AgentProfileDetail,
  AgentProfileList,
  AgentProfilePath,
  AgentProfileSave,
  NewAgentProfilePath,
} from './agent-profiles.dto';
import { AgentProfilesService } from './agent-profiles.service';

const UNKNOWN = 'You have no profile of this name.';
const NOT_HERE = 'It holds in all of your organizations, and the key is bound to one.';

@ApiTags('Agent settings')
@Access()
@Controller('api/agent-profiles')
export class AgentProfilesController {
  constructor(private readonly profiles: AgentProfilesService) {}

  @Get()
  @ApiOperation({
    summary: 'List your agent profiles',
    description: 'By name. A start request names one by its id; without that, the active one counts.',
  })
  @ApiOkResponse({ type: AgentProfileList, description: 'The profiles.' })
  listAgentProfiles(@CurrentCaller() caller: Caller): Promise<AgentProfileList> {
    return this.profiles.list(ofCaller(caller));
  }

  @Get(':name')
  @ApiOperation({ summary: 'Read one of your agent profiles', description: 'By its name.' })
  @ApiOkResponse({ type: AgentProfileDetail, description: 'The profile.' })
  @ApiErrors({ 404: UNKNOWN }, new ProfileNotFoundError())
  getAgentProfile(
    @CurrentCaller() caller: Caller,
    @Param() path: AgentProfilePath,
  ): Promise<AgentProfileDetail> {
    return this.profiles.get(ofCaller(caller), path.name);
  }

  @Post(':name')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Save one of your agent profiles',
    description: 'A new one, or a change of the one of this name.',
  })
  @ApiOkResponse({ type: ProfileChanged, description: 'It is saved.' })
  @ApiErrors({ 409: 'There are as many as there may be.' }, new TooManyProfilesError(MAX_PROFILES))
  @ApiBody({
    type: AgentProfileSave,
    examples: { 'An agent on a model profile': { value: { llm_profile_ref: 'Fast' } } },
  })
  saveAgentProfile(
    @CurrentCaller() caller: Caller,
    @Param() path: NewAgentProfilePath,
    @Body() body: AgentProfileSave,
  ): Promise<ProfileChanged> {
    return this.profiles.save(ofCaller(caller), path.name, body);
  }

  @Post(':name/rename')
  @HttpCode(200)
  @ApiOperation({ summary: 'Rename one of your agent profiles', description: 'Its id stays.' })
  @ApiOkResponse({ type: ProfileChanged, description: 'It is renamed.' })
  @ApiErrors(
    { 403: NOT_HERE, 404: UNKNOWN, 409: 'There is another one of the new name.' },
    new ProfileOfAllOrganizationsError(),
    new ProfileNotFoundError(),
    new ProfileExistsError(),
  )
  @ApiBody({ type: ProfileRename, examples: { 'Another name': { value: { new_name: 'Thorough' } } } })
  renameAgentProfile(
    @CurrentCaller() caller: Caller,
    @Param() path: AgentProfilePath,
    @Body() body: ProfileRename,
  ): Promise<ProfileChanged> {
    return this.profiles.rename(ofCaller(caller), path.name, body.new_name);
  }

  @Post(':name/activate')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Activate one of your agent profiles',
    description: 'By its id or its name. Your conversations start with it from now on.',
  })
  @ApiOkResponse({ type: ProfileChanged, description: 'It is active.' })
  @ApiErrors(
    { 403: NOT_HERE, 404: UNKNOWN },
    new ProfileOfAllOrganizationsError(),
    new ProfileNotFoundError(),
  )
  activateAgentProfile(
    @CurrentCaller() caller: Caller,
    @Param() path: AgentProfilePath,
  ): Promise<ProfileChanged> {
    return this.profiles.activate(ofCaller(caller), path.name);
  }

  @Delete(':name')
  @ApiOperation({ summary: 'Delete one of your agent profiles', description: 'Its model profile stays.' })
  @ApiOkResponse({ type: ProfileChanged, description: 'It is deleted.' })
  @ApiErrors(
    { 403: NOT_HERE, 404: UNKNOWN },
    new ProfileOfAllOrganizationsError(),
    new ProfileNotFoundError(),
  )
  deleteAgentProfile(
    @CurrentCaller() caller: Caller,
    @Param() path: AgentProfilePath,
  ): Promise<ProfileChanged> {
    return this.profiles.delete(ofCaller(caller), path.name);
  }
}
