import { Controller, Get, Param, Req, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { Access, type Caller, CurrentCaller, READING_SCOPES } from '../../../kernel/auth';
import { ConversationNotFoundError, ConversationPath } from '../../conversations';
import { ApiErrors, ClientAbortSignal, TooManyDownloadsError } from '../../../kernel/http';
import { TooManyEventsError } from '../storage/events.errors';
import { EventArchive } from './event-archive.service';

const ZIP = 'application/zip';
/** For generated clients, whose generators know no zip. */
const BYTES = 'application/octet-stream';

@ApiTags('Events')
@Controller('api/v1/app-conversations/:conversation_id/download')
export class EventArchiveController {
  constructor(private readonly archive: EventArchive) {}

  @Get()
  @Access({ scope: READING_SCOPES })
  @ApiOperation({
    summary: 'Download the events of a conversation',
    description:
      'A zip archive with the record in `meta.json`, without the way to its agent server, and a file `event_*.json` for each stored event, as it was received; names sort by time. Written as it is read. `application/zip`, unless `Accept` prefers `application/octet-stream`.',
  })
  @ApiProduces(ZIP, BYTES)
  @ApiOkResponse({ schema: { type: 'string', format: 'binary' }, description: 'The archive.' })
  @ApiErrors(
    {
      404: 'There is no such conversation, or none the caller may read.',
      409: 'There are more events than an archive holds (`too_many_events`).',
      429: 'As many archives are written as may be at once (`too_many_downloads`).',
    },
    new ConversationNotFoundError(),
    new TooManyEventsError(),
    new TooManyDownloadsError(2),
  )
  downloadConversation(
    @CurrentCaller() caller: Caller,
    @Param() path: ConversationPath,
    @Req() request: Request,
    @ClientAbortSignal() gone: AbortSignal,
  ): Promise<StreamableFile> {
    const type = request.accepts([ZIP, BYTES]) || ZIP;
    return this.archive.download(caller, path.conversation_id, gone, type);
  }
}
