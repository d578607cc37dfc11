import { Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access, type Caller, CurrentCaller, RecentSignIn } from '../../../kernel/auth';
import { ApiErrors, Success } from '../../../kernel/http';
import { LimitedAs } from '../../../kernel/request-limits';
import { BrowserSessionNotFoundError } from '../api-keys.errors';
import {
  BrowserSessionEnded,
  BrowserSessionPath,
  BrowserSessionResponse,
  BrowserSessions,
} from './browser-sessions.service';

@ApiTags('Keys')
@Controller('api')
export class BrowserSessionsController {
  constructor(private readonly sessions: BrowserSessions) {}

  @Get('sessions')
  @Access({ scope: 'manage_api_keys' })
  @ApiOperation({
    summary: 'List your sessions',
    description:
      'The browsers in which you are signed in. With a bound key: those in which you reach the same organization only.',
  })
  @ApiOkResponse({ type: [BrowserSessionResponse], description: 'The sessions, those used last first.' })
  listSessions(@CurrentCaller() caller: Caller): Promise<BrowserSessionResponse[]> {
    return this.sessions.list(caller);
  }

  @Delete('sessions/:session_id')
  @Access({ scope: 'manage_api_keys' })
  @RecentSignIn()
  @ApiOperation({
    summary: 'End a session',
    description: 'Signs the browser out: its requests are 401 from the next one on.',
  })
  @ApiOkResponse({ type: BrowserSessionEnded, description: 'The session is ended.' })
  @ApiErrors({ 404: 'You have no session with this id.' }, new BrowserSessionNotFoundError())
  endSession(
    @CurrentCaller() caller: Caller,
    @Param() path: BrowserSessionPath,
  ): Promise<BrowserSessionEnded> {
    return this.sessions.revoke(caller, path.session_id);
  }

  @Post('authenticate')
  @Access({ scope: 'any' })
  @HttpCode(200)
  @LimitedAs('reads')
  @ApiOperation({
    summary: 'Does the session work?',
    description: 'What the web interface asks before anything else; a 401 sends it to the sign-in page.',
  })
  @ApiOkResponse({ type: Success, description: 'The session, or the key, works.' })
  checkSession(): Success {
    return { success: true };
  }
}
