import { Controller, Get, Headers, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import {
  Access,
  type Caller,
  CurrentCaller,
  OrgResolution,
  READING_SCOPES,
  ticketSubject,
} from '../../kernel/auth';
import {
  ConversationAccess,
  ConversationNotFoundError,
  ConversationPath,
} from '../../conversations/conversations';
import { ApiErrors, ServiceStoppingError, ToPutIn } from '../../kernel/http';
import { EventStreams } from './connections/event-streams';
import { TooManyStreamsError, UnknownPositionError } from './event-streams.errors';
import { ApiEventStream, ConversationStreamQuery, ResumeHeaders, StreamTicketResponse } from './stream.dto';
import { ConversationTails, NewsTails } from './tails/tails';
import { StreamTickets } from './tickets/stream-tickets';

const NO_CONVERSATION = { 404: 'There is no such conversation, or none the caller may read.' };
const PARAMETER = 'conversation_id';

@ApiTags('Events')
@Controller('api/v1/conversation/:conversation_id/events')
export class ConversationStreamController {
  constructor(
    private readonly access: ConversationAccess,
    private readonly organizations: OrgResolution,
    private readonly streams: EventStreams,
    private readonly tails: ConversationTails,
    private readonly news: NewsTails,
    private readonly tickets: StreamTickets,
  ) {}

  @Get('stream')
  @Access({ ticketFor: PARAMETER, scope: READING_SCOPES })
  @ToPutIn('This page shows a stream only when it has ended: read it with `curl -N` or an EventSource.')
  @ApiOperation({
    summary: 'Stream the events of a conversation',
    description:
      'Server-Sent Events: each event as it is stored, `id` its number. A stream resumes after `Last-Event-ID` or `after` without a gap or a repetition. Its creator also gets what the service knows: steps of the start, queued messages, states of the sandbox; each as an event of its kind.',
  })
  @ApiEventStream(
    'The stream; it lasts until the client closes it, or an event `end` says why it ends.',
    'retry: 2718\nid: 41\n\nid: 42\ndata: {"id":"469ec610-2ab5-4bec-a843-b6c38639d41b","kind":"PauseEvent","timestamp":"2026-01-02T03:04:05","source":"user"}\n\n: heartbeat\n\n',
  )
  @ApiErrors(
    {
      ...NO_CONVERSATION,
      400: 'The position to resume from was never given.',
      429: 'As many streams are open as may be.',
      503: 'The service stops.',
    },
    new ConversationNotFoundError(),
    new UnknownPositionError(),
    new TooManyStreamsError(20, 'key'),
    new ServiceStoppingError(),
  )
  async streamConversationEvents(
    @CurrentCaller() caller: Caller,
    @Param() path: ConversationPath,
    @Query() query: ConversationStreamQuery,
    @Headers() headers: ResumeHeaders,
    @Res() response: Response,
  ): Promise<void> {
    const { id, orgId, createdByUserId } = await this.access.readable(caller, path.conversation_id);
    const { userId, keyId, sessionId = null, keyExpiresAt } = caller;
    const isOwn = createdByUserId === userId && (await this.organizations.mayUse(caller, orgId));
    const permission = isOwn ? 'use_conversations' : 'view_org_conversations';
    await this.streams.begin(
      {
        kind: 'conversation',
        conversationId: id,
        userId,
        orgId,
        keyId,
        sessionId,
        keyExpiresAt,
        permission,
      },
      {
        tails: this.tails,
        id,
        kinds: query.kind.length === 0 ? null : new Set(query.kind),
        after: headers['Last-Event-ID'] ?? query.after ?? null,
        news: isOwn ? this.news : null,
      },
      response,
    );
  }

  @Post('stream-ticket')
  @HttpCode(200)
  @Access({ scope: READING_SCOPES })
  @ApiOperation({
    summary: 'Get a ticket for the stream of a conversation',
    description: 'For EventSource, which sends no headers: opens the stream once, within 60 seconds.',
  })
  @ApiOkResponse({ type: StreamTicketResponse, description: 'The ticket.' })
  @ApiErrors(NO_CONVERSATION, new ConversationNotFoundError())
  async createConversationStreamTicket(
    @CurrentCaller() caller: Caller,
    @Param() path: ConversationPath,
  ): Promise<StreamTicketResponse> {
    await this.access.readable(caller, path.conversation_id);
    const { ticket, expiresAt } = await this.tickets.make(
      caller,
      ticketSubject(PARAMETER, path.conversation_id),
    );
    return { ticket, expires_at: expiresAt.toISOString() };
  }
}
