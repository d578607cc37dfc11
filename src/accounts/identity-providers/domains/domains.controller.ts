import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { OrgPath } from '../../orgs';
import {
  Access,
  type Caller,
  CurrentCaller,
  CurrentOrg,
  type OrgContext,
  RecentSignIn,
} from '../../../kernel/auth';
import { ApiErrors, Success } from '../../../kernel/http';
import { DomainCreate, DomainList, DomainPath, DomainResponse } from './domains.dto';
import {
  DomainNotFoundError,
  DomainTakenError,
  DomainUnprovenError,
  TooManyDomainsError,
} from './domains.errors';
import { DomainsService } from './domains.service';

const NOT_FOUND = { 404: 'The organization has not named this domain.' };

@ApiTags('Sign-in providers')
@Access({ org: 'path', permission: 'manage_identity_providers' })
@Controller('api/organizations/:org_id/domains')
export class DomainsController {
  constructor(private readonly domains: DomainsService) {}

  @Get()
  @ApiOperation({
    summary: 'List the domains',
    description: 'For whose mail addresses the providers of the organization let people in, once verified.',
  })
  @ApiOkResponse({ type: DomainList, description: 'All of them.' })
  listDomains(@Param() _path: OrgPath, @CurrentOrg() org: OrgContext): Promise<DomainList> {
    return this.domains.list(org);
  }

  @Post()
  @RecentSignIn()
  @HttpCode(201)
  @ApiOperation({
    summary: 'Name a domain',
    description:
      'As one of the organization. It counts once its DNS has the record that the response names, and that was looked at. Repeated, it answers the same.',
  })
  @ApiCreatedResponse({ type: DomainResponse, description: 'The domain, with the record that proves it.' })
  @ApiErrors({ 409: 'The organization has as many as it may have.' }, new TooManyDomainsError())
  @ApiBody({ type: DomainCreate, examples: { 'A domain': { value: { domain: 'example.com' } } } })
  createDomain(
    @Param() _path: OrgPath,
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
    @Body() body: DomainCreate,
  ): Promise<DomainResponse> {
    return this.domains.create(caller, org, body.domain);
  }

  @Post(':domain/verify')
  @RecentSignIn()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Verify a domain',
    description: 'Looks for its TXT record. From then on the domain is this organization’s alone.',
  })
  @ApiOkResponse({ type: DomainResponse, description: 'The domain, verified.' })
  @ApiErrors(
    { ...NOT_FOUND, 409: 'DNS does not have the record, or the domain is another organization’s.' },
    new DomainNotFoundError(),
    new DomainUnprovenError(),
    new DomainTakenError(),
  )
  verifyDomain(
    @Param() path: DomainPath,
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
  ): Promise<DomainResponse> {
    return this.domains.verify(caller, org, path.domain);
  }

  @Delete(':domain')
  @RecentSignIn()
  @ApiOperation({
    summary: 'Remove a domain',
    description: 'Nobody with an address of it signs in with a provider of the organization any more.',
  })
  @ApiOkResponse({ type: Success, description: 'It is removed.' })
  @ApiErrors(NOT_FOUND, new DomainNotFoundError())
  async deleteDomain(
    @Param() path: DomainPath,
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
  ): Promise<Success> {
    await this.domains.remove(caller, org, path.domain);
    return { success: true };
  }
}
