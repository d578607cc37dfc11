import { All, Controller, Get, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import {
  Access,
  type Caller,
  CurrentCaller,
  CurrentOrg,
  type OrgContext,
  RecentSignIn,
} from '../../kernel/auth';
import { ClientAbortSignal } from '../../kernel/http';
import { PassedCalls } from './passed-calls';

/** The operations of the service for automations, for members of the organization that a call acts in. */
@ApiExcludeController()
@Access({ org: 'effective', permission: 'view_automations' })
@Controller('api/automation')
export class AutomationsController {
  constructor(private readonly calls: PassedCalls) {}

  @Get('{*path}')
  readAutomations(
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
    @Req() request: Request,
    @Res() response: Response,
    @ClientAbortSignal() clientAbort: AbortSignal,
  ): Promise<void> {
    return this.calls.pass({ caller, org }, request, response, clientAbort);
  }

  /** An automation acts for its member long after the session in which it was made. */
  @All('{*path}')
  @RecentSignIn()
  changeAutomations(
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
    @Req() request: Request,
    @Res() response: Response,
    @ClientAbortSignal() clientAbort: AbortSignal,
  ): Promise<void> {
    return this.calls.pass({ caller, org }, request, response, clientAbort);
  }
}
