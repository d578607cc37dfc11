import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../auth';
import { FailsWith } from '../../http';
import {
  OrgConversationPage,
  OrgConversationPath,
  OrgConversationResponse,
  OrgConversationsPath,
  OrgConversationsQuery,
} from './org-conversations.dto';
import { OrgListService } from './org-list.service';

const UNAVAILABLE = {
  500: 'The conversations could not be read, or not in time (`conversations_unavailable`).',
};

@ApiTags('Organization conversations')
@Controller('api/organizations/:org_id/conversations')
export class OrgConversationsController {
  constructor(private readonly conversations: OrgListService) {}

  @Get()
  @Access({ org: 'path', permission: 'view_org_conversations' })
  @ApiOperation({
    summary: 'List the conversations of an organization',
    description: 'All of them, filtered, sorted and in pages; for admins and owners.',
  })
  @ApiOkResponse({ type: OrgConversationPage, description: 'One page.' })
  @FailsWith(UNAVAILABLE)
  listOrgConversations(
    @Param() path: OrgConversationsPath,
    @Query() query: OrgConversationsQuery,
  ): Promise<OrgConversationPage> {
    return this.conversations.list(path.org_id, query);
  }

  @Get(':conversation_id')
  @Access({ org: 'path', permission: 'view_org_conversations' })
  @ApiOperation({
    summary: 'Read one conversation of an organization',
    description:
      'With full details; `runtime_url` is the reference to its log and history. For admins and owners.',
  })
  @ApiOkResponse({ type: OrgConversationResponse, description: 'The conversation.' })
  @FailsWith({ ...UNAVAILABLE, 404: 'The organization has no such conversation.' })
  getOrgConversation(@Param() path: OrgConversationPath): Promise<OrgConversationResponse> {
    return this.conversations.get(path.org_id, path.conversation_id);
  }
}
