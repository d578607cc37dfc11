import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access, type Caller, CurrentCaller } from '../../auth';
import { ProfileOperations } from '../record/profile-operations';
import { ofCaller } from '../record/profile-scope';
import { type ProfileChanged, ProfileRename } from '../record/profile.dto';
import {
  AgentProfileDetail,
  AgentProfileList,
  AgentProfilePath,
  AgentProfileSave,
  NewAgentProfilePath,
} from './agent-profiles.dto';
import { AgentProfilesService } from './agent-profiles.service';

const operations = new ProfileOperations('You have no profile of this name.', true);

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
  @operations.get(
    { summary: 'Read one of your agent profiles', description: 'By its name.' },
    AgentProfileDetail,
  )
  getAgentProfile(
    @CurrentCaller() caller: Caller,
    @Param() path: AgentProfilePath,
  ): Promise<AgentProfileDetail> {
    return this.profiles.get(ofCaller(caller), path.name);
  }

  @Post(':name')
  @operations.save(
    {
      summary: 'Save one of your agent profiles',
      description: 'A new one, or a change of the one of this name.',
    },
    {
      type: AgentProfileSave,
      examples: { 'An agent on a model profile': { value: { llm_profile_ref: 'Fast' } } },
    },
  )
  saveAgentProfile(
    @CurrentCaller() caller: Caller,
    @Param() path: NewAgentProfilePath,
    @Body() body: AgentProfileSave,
  ): Promise<ProfileChanged> {
    return this.profiles.save(ofCaller(caller), path.name, body);
  }

  @Post(':name/rename')
  @operations.rename({ summary: 'Rename one of your agent profiles', description: 'Its id stays.' })
  renameAgentProfile(
    @CurrentCaller() caller: Caller,
    @Param() path: AgentProfilePath,
    @Body() body: ProfileRename,
  ): Promise<ProfileChanged> {
    return this.profiles.rename(ofCaller(caller), path.name, body.new_name);
  }

  @Post(':name/activate')
  @operations.activate({
    summary: 'Activate one of your agent profiles',
    description: 'By its id or its name. Your conversations start with it from now on.',
  })
  activateAgentProfile(
    @CurrentCaller() caller: Caller,
    @Param() path: AgentProfilePath,
  ): Promise<ProfileChanged> {
    return this.profiles.activate(ofCaller(caller), path.name);
  }

  @Delete(':name')
  @operations.delete({
    summary: 'Delete one of your agent profiles',
    description: 'Its model profile stays.',
  })
  deleteAgentProfile(
    @CurrentCaller() caller: Caller,
    @Param() path: AgentProfilePath,
  ): Promise<ProfileChanged> {
    return this.profiles.delete(ofCaller(caller), path.name);
  }
}
