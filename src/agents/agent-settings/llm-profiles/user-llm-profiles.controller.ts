import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access, type Caller, CurrentCaller, RecentSignIn, KeptForUser } from '../../../kernel/auth';
import { PlainFaults } from '../../../kernel/validation';
import { ProfileOperations } from '../record/profile-operations';
import { ofCaller } from '../record/profile-scope';
import { type ProfileChanged, ProfileRename } from '../record/profile.dto';
import {
  LlmProfileDetail,
  LlmProfileList,
  LlmProfilePath,
  LlmProfileSave,
  MODEL_WITH_KEY,
  NewLlmProfilePath,
} from './llm-profiles.dto';
import { LlmProfilesService } from './llm-profiles.service';

const operations = new ProfileOperations('There is no profile of this name.', true);

@ApiTags('Agent settings')
@KeptForUser()
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
  @operations.get(
    { summary: 'Read one of your model profiles', description: 'Without its key.' },
    LlmProfileDetail,
  )
  getUserLlmProfile(
    @CurrentCaller() caller: Caller,
    @Param() path: LlmProfilePath,
  ): Promise<LlmProfileDetail> {
    return this.profiles.get(ofCaller(caller), path.name);
  }

  @Post(':name')
  @RecentSignIn()
  @PlainFaults()
  @Access()
  @operations.save(
    {
      summary: 'Save one of your model profiles',
      description:
        'A new one, or another model for the one of this name. Conversations run on the active one.',
    },
    MODEL_WITH_KEY,
  )
  saveUserLlmProfile(
    @CurrentCaller() caller: Caller,
    @Param() path: NewLlmProfilePath,
    @Body() body: LlmProfileSave,
  ): Promise<ProfileChanged> {
    return this.profiles.save(ofCaller(caller), path.name, body.llm);
  }

  @Post(':name/rename')
  @Access()
  @operations.rename({
    summary: 'Rename one of your model profiles',
    description: 'It stays active if it is.',
  })
  renameUserLlmProfile(
    @CurrentCaller() caller: Caller,
    @Param() path: LlmProfilePath,
    @Body() body: ProfileRename,
  ): Promise<ProfileChanged> {
    return this.profiles.rename(ofCaller(caller), path.name, body.new_name);
  }

  @Post(':name/activate')
  @Access()
  @operations.activate({
    summary: 'Activate one of your model profiles',
    description: 'Conversations that start from now on run on it.',
  })
  activateUserLlmProfile(
    @CurrentCaller() caller: Caller,
    @Param() path: LlmProfilePath,
  ): Promise<ProfileChanged> {
    return this.profiles.activate(ofCaller(caller), path.name);
  }

  @Delete(':name')
  @RecentSignIn()
  @Access()
  @operations.delete({ summary: 'Delete one of your model profiles', description: 'With its key.' })
  deleteUserLlmProfile(
    @CurrentCaller() caller: Caller,
    @Param() path: LlmProfilePath,
  ): Promise<ProfileChanged> {
    return this.profiles.delete(ofCaller(caller), path.name);
  }
}
