import { Controller, Get, Headers, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { OrgPath } from '../../accounts/orgs';
import { Access, type Caller, CurrentCaller, ticketSubject } from '../../kernel/auth';
import { AUDIT_KIND, DomainEventKinds } from '../../kernel/domain-events';
import { ApiErrors, ServiceStoppingError, ToPutIn } from '../../kernel/http';
import { EventStreams } from './connections/event-streams';
import { TooManyStreamsError, UnknownPositionError } from './event-streams.errors';
import {
  ApiEventStream,
  OrganizationStreamQuery,
  ResumeHeaders,
  setStreamedTypes,
  StreamTicketResponse,
} from './stream.dto';
import { OrganizationTails } from './tails/tails';
import { StreamTickets } from './tickets/stream-tickets';

const PERMISSION = 'view_org_conversations';
const PARAMETER = 'org_id';

@ApiTags('Events')
@Controller('api/organizations/:org_id/events')
export class OrganizationStreamController {
  constructor(
    private readonly streams: EventStreams,
    private readonly tails: OrganizationTails,
    private readonly tickets: StreamTickets,
    kinds: DomainEventKinds,
  ) {
    setStreamedTypes(kinds.names.filter((kind) => kind !== AUDIT_KIND));
  }

  @Get('stream')
  @Access({ org: 'path', permission: PERMISSION, ticketFor: PARAMETER })
  @ToPutIn('This page shows a stream only when it has ended: read it with `curl -N` or an EventSource.')
  @ApiOperation({
    summary: "Stream an organization's domain events",
    description:
      'Server-Sent Events: what happens in the organization, `id` its position; kept for 7 days. A stream resumes after `Last-Event-ID` or `after` without a gap or a repetition.',
  })
  @ApiEventStream(
    'The stream; it lasts until the client closes it, or an event `end` says why it ends.',
    'retry: 2718\nid: 41\n\nid: 42\ndata: {"type":"conversation.deleted","timestamp":"2026-01-02T03:04:05.678Z","data":{"org_id":"7c9e6679-7425-40de-944b-e07fc1f90ae7","conversation_id":"7b1f9f86-4d0c-4a3e-9d1b-0a4f6c1f2e11"}}\n\n: heartbeat\n\n',
  )
  @ApiErrors(
    {
      400: 'The position to resume from was never given.',
      429: 'As many streams are open as may be.',
      503: 'The service stops.',
    },
    new UnknownPositionError(),
    new TooManyStreamsError(20, 'key'),
    new ServiceStoppingError(),
  )
  async streamOrganizationEvents(
    @CurrentCaller() caller: Caller,
    @Param() { org_id: orgId }: OrgPath,
    @Query() query: OrganizationStreamQuery,
    @Headers() headers: ResumeHeaders,
    @Res() response: Response,
  ): Promise<void> {
    const { userId, keyId, sessionId = null, keyExpiresAt } = caller;
    await this.streams.begin(
      {
        kind: 'organization' as const,
        conversationId: null,
        userId,
        orgId,
        keyId,
        sessionId,
        keyExpiresAt,
        permission: PERMISSION,
      },
      {
        tails: this.tails,
        id: orgId,
        kinds: query.type.length === 0 ? null : new Set(query.type),
        after: headers['Last-Event-ID'] ?? query.after ?? null,
        news: null,
      },
      response,
    );
  }

  @Post('stream-ticket')
  @HttpCode(200)
  @Access({ org: 'path', permission: PERMISSION })
  @ApiOperation({
    summary: 'Get a ticket for the stream of an organization',
    description: 'For EventSource, which sends no headers: opens the stream once, within 60 seconds.',
  })
  @ApiOkResponse({ type: StreamTicketResponse, description: 'The ticket.' })
  async createOrganizationStreamTicket(
    @CurrentCaller() caller: Caller,
    @Param() path: OrgPath,
  ): Promise<StreamTicketResponse> {
    const { ticket, expiresAt } = await this.tickets.make(caller, ticketSubject(PARAMETER, path.org_id));
    return { ticket, expires_at: expiresAt.toISOString() };
  }
}
