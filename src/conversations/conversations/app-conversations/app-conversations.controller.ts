import { Body, Controller, Delete, Get, Header, HttpCode, Param, Patch, Query, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { LegalHoldError } from '../../../accounts/legal-holds';
import {
  Access,
  type Caller,
  CurrentCaller,
  CurrentOrg,
  type OrgContext,
  SignedInByLinkError,
  READING_SCOPES,
} from '../../../kernel/auth';
import {
  ResponseTooLargeError,
  ApiErrors,
  ApiLinks,
  type JsonResponse,
  Success,
  TooManyLargeResponsesError,
} from '../../../kernel/http';
import {
  ConversationNotFoundError,
  OnlyAtStartError,
  RepositoryAddressInvalidError,
  SharingNotSupportedError,
} from '../record/conversations.errors';
import {
  AppConversation,
  AppConversationFilter,
  AppConversationPage,
  AppConversationSearch,
  AppConversationPath,
  DeletionQuery,
  IdsQuery,
} from './app-conversation.dto';
import { AppConversationUpdate } from './conversation-update.dto';
import { AppConversationsService } from './app-conversations.service';

const JSON_TYPE = 'application/json; charset=utf-8';
const MANY = 'Too many large answers are being sent.';
const NOT_FOUND = { 404: 'There is no such conversation, or none the caller may know of.' };
const BY_LINK = {
  403: 'An administrator’s link let the caller in, and the conversation was not started so.',
};

@ApiTags('Conversations')
@Controller('api/v1/app-conversations')
export class AppConversationsController {
  constructor(private readonly conversations: AppConversationsService) {}

  @Get('search')
  @Header('Content-Type', JSON_TYPE)
  @Access({ org: 'effective', scope: 'use_conversations' })
  @ApiOperation({
    summary: "Search the caller's conversations",
    description: 'Those the caller started in the effective organization, page by page.',
  })
  @ApiOkResponse({ type: AppConversationPage, description: 'One page.' })
  @ApiLinks({
    getAppConversation: { id: '$response.body#/items/0/id' },
    searchAppConversations: { page_id: '$response.body#/next_page_id' },
  })
  @ApiErrors({ 429: MANY }, new TooManyLargeResponsesError())
  searchAppConversations(
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
    @Query() query: AppConversationSearch,
  ): Promise<JsonResponse> {
    return this.conversations.search(caller, org.orgId, query);
  }

  @Get('count')
  @Header('Content-Type', JSON_TYPE)
  @Access({ org: 'effective', scope: 'use_conversations' })
  @ApiOperation({
    summary: "Count the caller's conversations",
    description: 'Takes the filters of the search.',
  })
  @ApiOkResponse({ schema: { type: 'integer', example: 12 }, description: 'The number.' })
  countAppConversations(
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
    @Query() query: AppConversationFilter,
  ): Promise<number> {
    return this.conversations.count(caller, org.orgId, query);
  }

  @Get()
  @Header('Content-Type', JSON_TYPE)
  @Access({ scope: READING_SCOPES })
  @ApiOperation({
    summary: 'Read several conversations',
    description: 'In the order of the ids; null where there is none the caller may know of.',
  })
  @ApiOkResponse({
    schema: {
      type: 'array',
      items: { anyOf: [{ $ref: '#/components/schemas/AppConversation' }, { type: 'null' }] },
    },
    description: 'One entry per id.',
  })
  @ApiErrors(
    { 413: 'The conversations have more than 16 MiB together.', 429: MANY },
    new ResponseTooLargeError(),
    new TooManyLargeResponsesError(),
  )
  batchGetAppConversations(@CurrentCaller() caller: Caller, @Query() query: IdsQuery): Promise<JsonResponse> {
    return this.conversations.getMany(caller, query.ids);
  }

  @Get(':id')
  @Access({ scope: READING_SCOPES })
  @ApiOperation({
    summary: 'Read one conversation',
    description:
      'With the way to its agent server for the creator, while the sandbox runs. Admins and owners may read all of their organization.',
  })
  @ApiOkResponse({ type: AppConversation, description: 'The conversation.' })
  @ApiLinks({
    searchConversationEvents: { conversation_id: '$response.body#/id' },
    sendMessage: { conversation_id: '$response.body#/id' },
    queuePendingMessage: { conversation_id: '$response.body#/id' },
    listPendingMessages: { conversation_id: '$response.body#/id' },
    updateAppConversation: { id: '$response.body#/id' },
    downloadConversation: { conversation_id: '$response.body#/id' },
    batchGetSandboxes: { id: '$response.body#/sandbox_id' },
  })
  @ApiErrors(NOT_FOUND, new ConversationNotFoundError())
  getAppConversation(
    @CurrentCaller() caller: Caller,
    @Param() path: AppConversationPath,
  ): Promise<AppConversation> {
    return this.conversations.get(caller, path.id);
  }

  @Patch(':id')
  @Access({ scope: 'use_conversations' })
  @ApiOperation({ summary: 'Change a conversation', description: 'Only what is present is written.' })
  @ApiOkResponse({ type: AppConversation, description: 'The conversation as it is now.' })
  @ApiErrors(
    {
      ...NOT_FOUND,
      ...BY_LINK,
      400: 'It cannot be shared, something counts at the start only, or no clone could take the repository.',
    },
    new SharingNotSupportedError(),
    new OnlyAtStartError('system_message_suffix'),
    new RepositoryAddressInvalidError('the address must not carry a password'),
    new SignedInByLinkError(),
    new ConversationNotFoundError(),
  )
  @ApiBody({
    type: AppConversationUpdate,
    examples: {
      'A new title': { value: { title: 'Fix the login' } },
      'Tags and pull requests': { value: { tags: { team: 'shop' }, pr_number: [42] } },
    },
  })
  updateAppConversation(
    @CurrentCaller() caller: Caller,
    @Param() path: AppConversationPath,
    @Body() body: AppConversationUpdate,
  ): Promise<AppConversation> {
    return this.conversations.update(caller, path.id, body);
  }

  @Delete(':id')
  @HttpCode(200)
  @Access({ scope: 'use_conversations' })
  @ApiOperation({
    summary: 'Delete a conversation',
    description:
      'With those that belong to it, and with the sandbox that was made for it. One under a legal hold is not deleted; with `when=lifted` it is once the hold is lifted.',
  })
  @ApiOkResponse({ type: Success, description: 'It is gone.' })
  @ApiAcceptedResponse({ type: Success, description: 'It is deleted once the legal hold is lifted.' })
  @ApiErrors(
    { ...NOT_FOUND, ...BY_LINK, 409: 'It, or what belongs to it, is under a legal hold.' },
    new SignedInByLinkError(),
    new ConversationNotFoundError(),
    new LegalHoldError(),
  )
  async deleteAppConversation(
    @CurrentCaller() caller: Caller,
    @Param() path: AppConversationPath,
    @Query() query: DeletionQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Success> {
    const deletion = await this.conversations.delete(caller, path.id, query.when === 'lifted');
    if (deletion === 'awaited') response.status(202);
    return { success: true };
  }
}
