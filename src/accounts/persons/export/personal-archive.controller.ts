import type { Request } from 'express';
import { Controller, Get, type StreamableFile, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import { Access, type Caller, CurrentCaller } from '../../../kernel/auth';
import { ApiErrors, ClientAbortSignal, TooManyDownloadsError } from '../../../kernel/http';
import { PersonalArchive } from './personal-archive';

/** For generated clients, whose generators know no zip. */
const BYTES = 'application/octet-stream';

@ApiTags('Personal data')
@Controller('api/users/me/export')
export class PersonalArchiveController {
  constructor(private readonly archive: PersonalArchive) {}

  @Get()
  @Access()
  @ApiOperation({
    summary: 'Download all that there is of you',
    description:
      'A zip archive of JSON Lines, written as it is read, without secrets; its last file is `manifest.json`. With a key that is bound to an organization, what you have there.',
  })
  @ApiProduces('application/zip', BYTES)
  @ApiOkResponse({ schema: { type: 'string', format: 'binary' }, description: 'The archive.' })
  @ApiErrors(
    { 429: 'An archive of yours is being written already (`too_many_downloads`).' },
    new TooManyDownloadsError(10),
  )
  exportOwnData(
    @CurrentCaller() caller: Caller,
    @ClientAbortSignal() gone: AbortSignal,
    @Req() request: Request,
  ): StreamableFile {
    return this.archive.download(
      caller,
      gone,
      request.accepts(['application/zip', BYTES]) === BYTES ? BYTES : 'application/zip',
    );
  }
}
