import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../auth';
import { ApiErrors, Success } from '../http';
import { PlainFaults } from '../validation';
import { MAX_CREDENTIALS } from './credential-rules';
import {
  GitCredential,
  GitCredentialCreate,
  GitCredentialList,
  GitCredentialUpdate,
  OrgGitCredentialPath,
  OrgGitCredentialsPath,
} from './git-credentials.dto';
import {
  GitCredentialExistsError,
  GitCredentialNotFoundError,
  GitPasswordNeededError,
  TooManyGitCredentialsError,
} from './git-credentials.errors';
import { GitCredentialsService } from './git-credentials.service';

@ApiTags('Git')
@Access({ org: 'path', permission: 'edit_org_settings' })
@Controller('api/organizations/:org_id/git-credentials')
export class OrgGitCredentialsController {
  constructor(private readonly credentials: GitCredentialsService) {}

  @Get()
  @ApiOperation({
    summary: "List an organization's git credentials",
    description:
      'Marketplaces and conversations of the organization are fetched with them. Never their passwords.',
  })
  @ApiOkResponse({ type: GitCredentialList, description: 'The credentials.' })
  listOrgGitCredentials(@Param() path: OrgGitCredentialsPath): Promise<GitCredentialList> {
    return this.credentials.list({ userId: null, orgId: path.org_id });
  }

  @Post()
  @HttpCode(201)
  @PlainFaults()
  @ApiOperation({
    summary: "Keep one of an organization's git credentials",
    description: 'For the repositories at an address and below it; of several the longest address counts.',
  })
  @ApiCreatedResponse({ type: GitCredential, description: 'The credential, without its password.' })
  @ApiErrors(
    { 409: 'There is one for the address, or there are as many as there may be.' },
    new GitCredentialExistsError(),
    new TooManyGitCredentialsError(MAX_CREDENTIALS),
  )
  @ApiBody({
    type: GitCredentialCreate,
    examples: {
      'A token': {
        value: { url_prefix: 'https://github.com/acme', username: 'x-access-token', password: 'ghp_example' },
      },
    },
  })
  createOrgGitCredential(
    @Param() path: OrgGitCredentialsPath,
    @Body() body: GitCredentialCreate,
  ): Promise<GitCredential> {
    return this.credentials.create({ userId: null, orgId: path.org_id }, body);
  }

  @Patch(':credential_id')
  @PlainFaults()
  @ApiOperation({
    summary: "Change one of an organization's git credentials",
    description: 'What is absent stays. At another host the password has to come along.',
  })
  @ApiOkResponse({ type: GitCredential, description: 'The credential as it is now, without its password.' })
  @ApiErrors(
    {
      400: 'The address is at another host, and no password came along.',
      404: 'There is no such credential.',
      409: 'There is another one for the address.',
    },
    new GitPasswordNeededError(),
    new GitCredentialNotFoundError(),
    new GitCredentialExistsError(),
  )
  @ApiBody({
    type: GitCredentialUpdate,
    examples: { 'Another token': { value: { password: 'ghp_example' } } },
  })
  updateOrgGitCredential(
    @Param() path: OrgGitCredentialPath,
    @Body() body: GitCredentialUpdate,
  ): Promise<GitCredential> {
    return this.credentials.update({ userId: null, orgId: path.org_id }, path.credential_id, body);
  }

  @Delete(':credential_id')
  @ApiOperation({
    summary: "Delete one of an organization's git credentials",
    description: 'Clones stay as they are.',
  })
  @ApiOkResponse({ type: Success, description: 'It is deleted.' })
  @ApiErrors({ 404: 'There is no such credential.' }, new GitCredentialNotFoundError())
  async deleteOrgGitCredential(@Param() path: OrgGitCredentialPath): Promise<Success> {
    await this.credentials.delete({ userId: null, orgId: path.org_id }, path.credential_id);
    return { success: true };
  }
}
