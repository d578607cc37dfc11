import { Controller, Get, Inject, Post, Query, Req, Res } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiOperation, ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../../../auth';
import { AppError } from '../../../common';
import { publicUrl, SETTINGS, type Settings } from '../../../config';
import { PAGE_POLICY, readForm, ToPutIn } from '../../../http';
import { Field, string } from '../../../validation';
import { ACCEPT_PATH } from '../../record/invitation-tokens';
import { ForeignFormError } from '../acceptance.errors';
import { AcceptancePageService, FORM_PATH, type PageResponse, type PageForm } from './page.service';
import { problemPage } from './pages';
import { isSameOrigin } from './same-origin';

class PageQuery {
  @Field(string(), { description: 'The token of the link.', example: 'inv-…' })
  token = '';
}

/** The page for people; where its forms are sent is not for programs, so the OpenAPI document leaves that out. */
@ApiTags('Invitations')
@Controller()
export class AcceptancePageController {
  constructor(
    private readonly pages: AcceptancePageService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get(ACCEPT_PATH)
  @ToPutIn('Put in the `token` of the link in an invitation.')
  @Public()
  @ApiOperation({
    summary: 'The page of an invitation',
    description: 'Opened by the link of an invitation, for people: shows what it is for, and takes it.',
  })
  @ApiProduces('text/html')
  @ApiResponse({ status: 200, description: 'The invitation.', schema: { type: 'string' } })
  @ApiResponse({ status: 404, description: 'No invitation has this token.', schema: { type: 'string' } })
  @ApiResponse({ status: 410, description: 'It has ended.', schema: { type: 'string' } })
  async showInvitationPage(@Query() query: PageQuery, @Res() response: Response): Promise<void> {
    respond(response, await this.pages.show(query.token));
  }

  @Post(FORM_PATH)
  @Public()
  @ApiExcludeEndpoint()
  async submitInvitationPage(@Req() request: Request, @Res() response: Response): Promise<void> {
    respond(response, await this.submitted(request).catch(problemResponse));
  }

  private async submitted(request: Request): Promise<PageResponse> {
    if (!isSameOrigin(request.headers, new URL(publicUrl(this.settings)).origin))
      throw new ForeignFormError();
    const field = await readForm(request);
    const form: PageForm = {
      token: field('token'),
      step: field('step'),
      key: field('key'),
      code: field('code'),
      name: field('name'),
    };
    return this.pages.submit(request, form);
  }
}

function problemResponse(error: unknown): PageResponse {
  if (error instanceof AppError && error.status < 500)
    return { status: error.status, headers: error.headers, html: problemPage(error.message) };
  throw error;
}

/** The page contains a token or a key: no cache keeps it, and no link on it sends a referrer. */
function respond(response: Response, { status, html, headers = {} }: PageResponse): void {
  response
    .status(status)
    .set(headers)
    .set({
      'Content-Security-Policy': PAGE_POLICY,
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-store',
      'X-Robots-Tag': 'noindex',
    })
    .type('html')
    .send(html);
}
