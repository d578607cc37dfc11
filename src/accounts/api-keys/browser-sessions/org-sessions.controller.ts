import { Controller, Delete, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  Access,
  type Caller,
  CurrentCaller,
  CurrentOrg,
  type OrgContext,
  RecentSignIn,
} from '../../../kernel/auth';
import { ApiErrors } from '../../../kernel/http';
import { Field, string, uuid } from '../../../kernel/validation';
import { OrgPath, PageQuery, RankTooLowError } from '../../orgs';
import { BrowserSessionNotFoundError } from '../api-keys.errors';
import { BrowserSessionEnded } from './browser-sessions.service';
import { OrgSessionPage, OrgSessions } from './org-sessions.service';

class OrgSessionsQuery extends PageQuery {
  @Field(uuid(), {
    nullable: true,
    description: 'Those of one member only.',
    example: '3f333df6-90a4-4fda-8dd3-9485d27cee36',
  })
  user_id: string | null = null;
}

class OrgSessionPath extends OrgPath {
  @Field(string(), {
    description: "The session's id.",
    example: '7',
    exampleFrom: {
      get: '/api/organizations/{org_id}/sessions',
      list: 'items',
      value: 'id',
      none: 'Nobody is signed in in a browser.',
    },
  })
  session_id!: string;
}

@ApiTags('Organizations')
@Controller('api/organizations/:org_id/sessions')
export class OrgSessionsController {
  constructor(private readonly sessions: OrgSessions) {}

  @Get()
  @Access({ org: 'path', permission: 'manage_sessions' })
  @ApiOperation({
    summary: 'List the sessions of members',
    description: 'The browsers in which members are signed in and reach the organization.',
  })
  @ApiOkResponse({ type: OrgSessionPage, description: 'One page of them, newest first.' })
  listOrgSessions(
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
    @Param() _path: OrgPath,
    @Query() query: OrgSessionsQuery,
  ): Promise<OrgSessionPage> {
    return this.sessions.list(caller, org, query);
  }

  @Delete(':session_id')
  @RecentSignIn()
  @Access({ org: 'path', permission: 'manage_sessions' })
  @ApiOperation({
    summary: 'End the session of a member',
    description:
      'Signs the browser out: its requests are 401 from the next one on. By somebody of higher rank, an owner, or whose it is.',
  })
  @ApiOkResponse({ type: BrowserSessionEnded, description: 'The session is ended.' })
  @ApiErrors(
    { 403: 'The caller’s rank is too low.', 404: 'No member has a session with this id here.' },
    new RankTooLowError(),
    new BrowserSessionNotFoundError(),
  )
  endOrgSession(
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
    @Param() path: OrgSessionPath,
  ): Promise<BrowserSessionEnded> {
    return this.sessions.end(caller, org, path.session_id);
  }
}
