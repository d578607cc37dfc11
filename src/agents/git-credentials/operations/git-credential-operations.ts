import { applyDecorators, HttpCode } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { ApiErrors, Success } from '../../../kernel/http';
import { PlainErrors } from '../../../kernel/validation';
import {
  GitCredentialExistsError,
  GitCredentialNotFoundError,
  GitPasswordNeededError,
  TooManyGitCredentialsError,
} from '../git-credentials.service';
import {
  GitCredential,
  GitCredentialCreate,
  GitCredentialList,
  GitCredentialUpdate,
} from './git-credentials.dto';

/*
 * What the operations on users' and on organizations' credentials say of themselves; only their summaries differ, and
 * what the credentials are for.
 */

/** Documents an operation that lists credentials. @param purpose a sentence on what they are for */
export function ListGitCredentials(summary: string, purpose: string): MethodDecorator {
  return applyDecorators(
    ApiOperation({ summary, description: `${purpose} Never their passwords.` }),
    ApiOkResponse({ type: GitCredentialList, description: 'The credentials.' }),
  );
}

/** Documents an operation that keeps a credential, and has it respond with 201. */
export function CreateGitCredential(summary: string): MethodDecorator {
  return applyDecorators(
    HttpCode(201),
    PlainErrors(),
    ApiOperation({
      summary,
      description: 'For the repositories at an address and below it; of several the longest address counts.',
    }),
    ApiCreatedResponse({ type: GitCredential, description: 'The credential, without its password.' }),
    ApiErrors(
      { 409: 'There is one for the address, or there are as many as there may be.' },
      new GitCredentialExistsError(),
      new TooManyGitCredentialsError(),
    ),
    ApiBody({
      type: GitCredentialCreate,
      examples: {
        'A token': {
          value: {
            url_prefix: 'https://github.com/acme',
            username: 'x-access-token',
            password: 'ghp_example',
          },
        },
      },
    }),
  );
}

/** Documents an operation that changes a credential. */
export function UpdateGitCredential(summary: string): MethodDecorator {
  return applyDecorators(
    PlainErrors(),
    ApiOperation({
      summary,
      description: 'What is absent stays. At another host the password has to come along.',
    }),
    ApiOkResponse({ type: GitCredential, description: 'The credential as it is now, without its password.' }),
    ApiErrors(
      {
        400: 'The address is at another host, and no password came along.',
        404: 'There is no such credential.',
        409: 'There is another one for the address.',
      },
      new GitPasswordNeededError(),
      new GitCredentialNotFoundError(),
      new GitCredentialExistsError(),
    ),
    ApiBody({
      type: GitCredentialUpdate,
      examples: { 'Another token': { value: { password: 'ghp_example' } } },
    }),
  );
}

/** Documents an operation that deletes a credential. */
export function DeleteGitCredential(summary: string): MethodDecorator {
  return applyDecorators(
    ApiOperation({ summary, description: 'Clones stay as they are.' }),
    ApiOkResponse({ type: Success, description: 'It is deleted.' }),
    ApiErrors({ 404: 'There is no such credential.' }, new GitCredentialNotFoundError()),
  );
}
