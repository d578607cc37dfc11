import { Body, Controller, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { ConversationPath } from '../app-conversations/app-conversation.dto';
import { ProfileNotFoundError } from '../../../agents/agent-settings';
import { ModelNotAllowedError } from '../../../agents/model-policy';
import { Access, type Caller, CurrentCaller, SignedInByLinkError } from '../../../kernel/auth';
import { ApiErrors, Success, ToPutIn } from '../../../kernel/http';
import {
  SandboxFailedError,
  SandboxNotRunningError,
  TooManyWaitingCallsError,
} from '../../../sandboxes/sandboxes';
import { ConversationNotFoundError, SandboxNotFoundError } from '../record/conversations.errors';
import { ConversationArchivedError, UnknownToAgentServerError } from '../send-message/send-message.errors';
import {
  ConversationViews,
  FileNotFoundError,
  ModelNotSwitchedError,
  PathOutsideWorkspaceError,
} from './conversation-views';
import {
  ConversationSkills,
  DiffQuery,
  FileQuery,
  FolderQuery,
  GitChange,
  GitDiff,
  SwitchAcpModel,
  SwitchProfile,
} from './views.dto';

const NOT_ENTERED = 'An administrator’s link let the caller in, and the conversation was not started so';
const MODEL_FAILURES = { 403: `${NOT_ENTERED}; or the organization does not allow the model.` };
const FAILURES = {
  404: 'There is no such conversation of the caller, its agent server does not know it, or what is named is not there.',
  403: `${NOT_ENTERED}.`,
  409: 'The sandbox does not run, or the agent server will not.',
  410: 'The conversation is archived.',
  429: 'As many calls wait for the agent server as may wait.',
  503: 'The sandbox failed, or its agent server does not answer.',
};
const ERRORS = [
  new SignedInByLinkError(),
  new ConversationNotFoundError(),
  new SandboxNotFoundError(),
  new UnknownToAgentServerError(),
  new SandboxNotRunningError('PAUSED', '5b2f9f86-4d0c-4a3e-9d1b-0a4f6c1f2e22'),
  new ConversationArchivedError(),
  new TooManyWaitingCallsError('conversation'),
  new SandboxFailedError(),
];
const OUTSIDE = { 400: 'The path is not in the folder of the conversation.' };

@ApiTags('Conversations')
@Access({ scope: 'use_conversations' })
@Controller('api/v1/app-conversations/:conversation_id')
export class ConversationViewsController {
  constructor(private readonly views: ConversationViews) {}

  @Get('skills')
  @ApiOperation({
    summary: 'Read the skills of a conversation',
    description: 'Those that its folder brings along.',
  })
  @ApiOkResponse({ type: ConversationSkills, description: 'The skills.' })
  @ApiErrors(FAILURES, ...ERRORS)
  async getConversationSkills(
    @CurrentCaller() caller: Caller,
    @Param() path: ConversationPath,
  ): Promise<ConversationSkills> {
    return { skills: await this.views.skills(caller, path.conversation_id) };
  }

  @Get('files')
  @ApiOperation({
    summary: 'List the files of a conversation',
    description:
      'Below a folder, 10,000 at most, without those of git. None where the sandbox runs no commands.',
  })
  @ApiOkResponse({
    schema: { type: 'array', items: { type: 'string' }, example: ['README.md'] },
    description: 'Their paths, relative to the folder.',
  })
  @ApiErrors({ ...FAILURES, ...OUTSIDE }, ...ERRORS, new PathOutsideWorkspaceError())
  listConversationFiles(
    @CurrentCaller() caller: Caller,
    @Param() path: ConversationPath,
    @Query() query: FolderQuery,
  ): Promise<string[]> {
    return this.views.files(caller, path.conversation_id, query.path);
  }

  @Get('file')
  @ToPutIn(
    'Put in the id of a conversation whose sandbox runs, and as `file_path` one of its files: GET /api/v1/app-conversations/{conversation_id}/files lists them.',
  )
  @ApiOperation({ summary: 'Read a file of a conversation', description: 'Its text.' })
  @ApiProduces('text/plain')
  @ApiOkResponse({ schema: { type: 'string' }, description: 'The text.' })
  @ApiErrors({ ...FAILURES, ...OUTSIDE }, ...ERRORS, new FileNotFoundError(), new PathOutsideWorkspaceError())
  async getConversationFile(
    @CurrentCaller() caller: Caller,
    @Param() path: ConversationPath,
    @Query() query: FileQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<string> {
    const text = await this.views.file(caller, path.conversation_id, query.file_path);
    response.setHeader('Content-Type', 'text/plain; charset=utf-8');
    response.setHeader('Content-Security-Policy', 'sandbox');
    return text;
  }

  @Get('git/changes')
  @ApiOperation({
    summary: 'List what a conversation has changed',
    description: 'Compared with what is committed. None where the folder is no repository.',
  })
  @ApiOkResponse({ type: [GitChange], description: 'The changes.' })
  @ApiErrors({ ...FAILURES, ...OUTSIDE }, ...ERRORS, new PathOutsideWorkspaceError())
  listConversationGitChanges(
    @CurrentCaller() caller: Caller,
    @Param() path: ConversationPath,
    @Query() query: FolderQuery,
  ): Promise<GitChange[]> {
    return this.views.changes(caller, path.conversation_id, query.path);
  }

  @Get('git/diff')
  @ToPutIn(
    'Put in the id of a conversation on a repository whose sandbox runs, and as `path` a file of GET /api/v1/app-conversations/{conversation_id}/git/changes.',
  )
  @ApiOperation({
    summary: 'Read a file before and after its changes',
    description: 'Compared with what is committed.',
  })
  @ApiOkResponse({ type: GitDiff, description: 'Both texts.' })
  @ApiErrors({ ...FAILURES, ...OUTSIDE }, ...ERRORS, new FileNotFoundError(), new PathOutsideWorkspaceError())
  getConversationGitDiff(
    @CurrentCaller() caller: Caller,
    @Param() path: ConversationPath,
    @Query() query: DiffQuery,
  ): Promise<GitDiff> {
    return this.views.diff(caller, path.conversation_id, query.path);
  }

  @Post('switch_profile')
  @ToPutIn('Put in the name of one of your profiles: GET /api/v1/settings/profiles lists them.')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Change the model of a conversation',
    description: 'To that of a model profile; its next call goes there.',
  })
  @ApiOkResponse({ type: Success, description: 'It is changed.' })
  @ApiErrors(
    { ...FAILURES, ...MODEL_FAILURES },
    ...ERRORS,
    new ProfileNotFoundError(),
    new ModelNotAllowedError('openai/gpt-5', 'the organization allows others only.'),
    new ModelNotSwitchedError('…'),
  )
  @ApiBody({ type: SwitchProfile, examples: { 'A profile': { value: { profile_name: 'Fast' } } } })
  async switchConversationProfile(
    @CurrentCaller() caller: Caller,
    @Param() path: ConversationPath,
    @Body() body: SwitchProfile,
  ): Promise<Success> {
    await this.views.switchProfile(caller, path.conversation_id, body.profile_name);
    return { success: true };
  }

  @Post('switch_acp_model')
  @ToPutIn('Put in the id of a conversation whose agent speaks ACP, and a model which that agent offers.')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Change the model of an agent of another protocol',
    description: 'One that has models of its own; other agents refuse.',
  })
  @ApiOkResponse({ type: Success, description: 'It is changed.' })
  @ApiErrors(
    { ...FAILURES, ...MODEL_FAILURES },
    ...ERRORS,
    new ModelNotAllowedError('openai/gpt-5', 'the organization allows others only.'),
    new ModelNotSwitchedError('…'),
  )
  @ApiBody({ type: SwitchAcpModel, examples: { 'A model': { value: { model: 'gpt-5' } } } })
  async switchConversationAcpModel(
    @CurrentCaller() caller: Caller,
    @Param() path: ConversationPath,
    @Body() body: SwitchAcpModel,
  ): Promise<Success> {
    await this.views.switchAcpModel(caller, path.conversation_id, body.model);
    return { success: true };
  }
}
