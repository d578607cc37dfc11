import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access, type Caller, CurrentCaller, KeptForUser } from '../../../kernel/auth';
import { ofCaller } from '../record/profile-scope';
import { type ProfileChanged, ProfileRename } from '../record/profile.dto';
import { AgentProfileOperations } from './agent-profile-operations';
import {
  type AgentProfileDetail,
  type AgentProfileList,
  AgentProfilePath,
  AgentProfileSave,
  NewAgentProfilePath,
} from './agent-profiles.dto';
import { AgentProfilesService } from './agent-profiles.service';

const operations = new AgentProfileOperations(
  {
    whose: 'your',
    unknown: 'You have no profile of this name.',
    byDefault: 'without that, the active one counts.',
    activation: 'Your conversations start with it from now on.',
  },
  true,
);

@ApiTags('Agent settings')
@Access()
@KeptForUser()
@Controller('api/agent-profiles')
export class UserAgentProfilesController {
  constructor(private readonly profiles: AgentProfilesService) {}

  @Get()
  @operations.list()
  listAgentProfiles(@CurrentCaller() caller: Caller): Promise<AgentProfileList> {
    return this.profiles.list(ofCaller(caller));
  }

  @Get(':name')
  @operations.get()
  getAgentProfile(
    @CurrentCaller() caller: Caller,
    @Param() path: AgentProfilePath,
  ): Promise<AgentProfileDetail> {
    return this.profiles.get(ofCaller(caller), path.name);
  }

  @Post(':name')
  @operations.save()
  saveAgentProfile(
    @CurrentCaller() caller: Caller,
    @Param() path: NewAgentProfilePath,
    @Body() body: AgentProfileSave,
  ): Promise<ProfileChanged> {
    return this.profiles.save(ofCaller(caller), path.name, body);
  }

  @Post(':name/rename')
  @operations.rename()
  renameAgentProfile(
    @CurrentCaller() caller: Caller,
    @Param() path: AgentProfilePath,
    @Body() body: ProfileRename,
  ): Promise<ProfileChanged> {
    return this.profiles.rename(ofCaller(caller), path.name, body.new_name);
  }

  @Post(':name/activate')
  @operations.activate()
  activateAgentProfile(
    @CurrentCaller() caller: Caller,
    @Param() path: AgentProfilePath,
  ): Promise<ProfileChanged> {
    return this.profiles.activate(ofCaller(caller), path.name);
  }

  @Delete(':name')
  @operations.delete()
  deleteAgentProfile(
    @CurrentCaller() caller: Caller,
    @Param() path: AgentProfilePath,
  ): Promise<ProfileChanged> {
    return this.profiles.delete(ofCaller(caller), path.name);
  }
}
