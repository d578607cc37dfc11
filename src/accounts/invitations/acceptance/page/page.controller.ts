import { Controller, Get, Post, Query, Req, Res } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiOperation, ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../../../../kernel/auth';
import { type PageResponse, refusalOf, sendPage, ToPutIn } from '../../../../kernel/http';
import { OwnForms } from '../../../sign-in';
import { Field, string } from '../../../../kernel/validation';
import { ACCEPT_PATH } from '../../record/invitation-tokens';
import { AcceptancePageService, FORM_PATH } from './page.service';
import { problemPage } from './pages';

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
    private readonly forms: OwnForms,
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
  async showInvitationPage(
    @Query() query: PageQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    sendPage(request, response, await this.pages.show(request, query.token));
  }

  /** Shows the page again to a browser that reloads the address of a form. */
  @Get(FORM_PATH)
  @Public()
  @ApiExcludeEndpoint()
  async showFormPage(
    @Query() query: PageQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    sendPage(request, response, await this.pages.show(request, query.token));
  }

  @Post(FORM_PATH)
  @Public()
  @ApiExcludeEndpoint()
  async submitInvitationPage(@Req() request: Request, @Res() response: Response): Promise<void> {
    const page = await this.submitted(request, response).catch(problemResponse);
    if (page !== null) sendPage(request, response, page);
  }

  /** Null for a form that came from elsewhere, which is answered. */
  private async submitted(request: Request, response: Response): Promise<PageResponse | null> {
    const field = await this.forms.read(request, response);
    if (field === null) return null;
    return this.pages.submit(request, {
      token: field('token'),
      step: field('step'),
      key: field('key'),
      code: field('code'),
      name: field('name'),
    });
  }
}

function problemResponse(error: unknown): PageResponse {
  const { status, headers, message } = refusalOf(error);
  return { status, headers, html: problemPage(message) };
}
