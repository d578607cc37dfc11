import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access, type Caller, CurrentCaller, ownerOf } from '../auth';
import { ApiErrors, Success } from '../http';
import { PlainFaults } from '../validation';
import { MAX_CREDENTIALS } from './credential-rules';
import {
  GitCredential,
  GitCredentialCreate,
  GitCredentialList,
  GitCredentialPath,
  GitCredentialUpdate,
} from './git-credentials.dto';
import {
  GitCredentialExistsError,
  GitCredentialNotFoundError,
  GitPasswordNeededError,
  TooManyGitCredentialsError,
} from './git-credentials.errors';
import { GitCredentialsService } from './git-credentials.service';

@ApiTags('Git')
@Access()
@Controller('api/v1/git/credentials')
export class UserGitCredentialsController {
  constructor(private readonly credentials: GitCredentialsService) {}

  @Get()
  @ApiOperation({
    summary: 'List your git credentials',
    description: 'Repositories of your conversations are cloned with them. Never their passwords.',
  })
  @ApiOkResponse({ type: GitCredentialList, description: 'The credentials.' })
  listUserGitCredentials(@CurrentCaller() caller: Caller): Promise<GitCredentialList> {
    return this.credentials.list(ownerOf(caller));
  }

  @Post()
  @HttpCode(201)
  @PlainFaults()
  @ApiOperation({
    summary: 'Keep one of your git credentials',
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
  createUserGitCredential(
    @CurrentCaller() caller: Caller,
    @Body() body: GitCredentialCreate,
  ): Promise<GitCredential> {
    return this.credentials.create(ownerOf(caller), body);
  }

  @Patch(':credential_id')
  @PlainFaults()
  @ApiOperation({
    summary: 'Change one of your git credentials',
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
  updateUserGitCredential(
    @CurrentCaller() caller: Caller,
    @Param() path: GitCredentialPath,
    @Body() body: GitCredentialUpdate,
  ): Promise<GitCredential> {
    return this.credentials.update(ownerOf(caller), path.credential_id, body);
  }

  @Delete(':credential_id')
  @ApiOperation({ summary: 'Delete one of your git credentials', description: 'Clones stay as they are.' })
  @ApiOkResponse({ type: Success, description: 'It is deleted.' })
  @ApiErrors({ 404: 'There is no such credential.' }, new GitCredentialNotFoundError())
  async deleteUserGitCredential(
    @CurrentCaller() caller: Caller,
    @Param() path: GitCredentialPath,
  ): Promise<Success> {
    await this.credentials.delete(ownerOf(caller), path.credential_id);
    return { success: true };
  }
}
