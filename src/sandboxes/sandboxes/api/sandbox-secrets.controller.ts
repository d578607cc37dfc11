import { Controller, Get, Param, Res, Injectable } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentSandbox, SandboxAccess, type SandboxCaller, StandingAccess } from '../../../kernel/auth';
import { ApiErrors } from '../../../kernel/http';
import { SecretNotFoundError, UserSecretsRepository } from '../../../accounts/secrets';
import { SandboxPath, SandboxSecretNames, SandboxSecretPath } from './sandboxes.dto';
import { SandboxFailedError, SandboxNotFoundError, SandboxNotRunningError } from '../record/sandboxes.errors';
import type { Person } from '../../../kernel/common';
import { running } from '../access/running-sandbox';
import { SandboxReader } from '../access/sandbox-reader';
import { SandboxesService } from './sandboxes.service';

/**
 * The secrets of a sandbox's creator, for clients that run an agent of their own in it
 * (docs/contract.md#secrets-for-sandboxes). A server that several sandboxes share gets none here: whoever works on it
 * could read those of all.
 */
@Injectable()
export class SandboxSecrets {
  constructor(
    private readonly sandboxes: SandboxesService,
    private readonly reader: SandboxReader,
    private readonly secrets: UserSecretsRepository,
    private readonly access: StandingAccess,
  ) {}

  /** @throws SandboxNotFoundError, SandboxFailedError, SandboxNotRunningError */
  async names(caller: SandboxCaller, sandboxId: string): Promise<SandboxSecretNames> {
    const creator = await this.creatorOf(caller, sandboxId);
    const kept = caller.sandboxId === null ? [] : await this.secrets.ofPerson(creator);
    return { secrets: kept.map(({ name, description }) => ({ name, description })) };
  }

  /** @throws SandboxNotFoundError, SandboxFailedError, SandboxNotRunningError, SecretNotFoundError */
  async value(caller: SandboxCaller, sandboxId: string, name: string): Promise<string> {
    const creator = await this.creatorOf(caller, sandboxId);
    const value = caller.sandboxId === null ? null : await this.secrets.value(creator, name);
    if (value === null) throw new SecretNotFoundError();
    return value;
  }

  /** The creator of the running sandbox whose key the caller has, while they may use it. */
  private async creatorOf(caller: SandboxCaller, sandboxId: string): Promise<Person> {
    const { id, orgId, createdByUserId: userId, byLink } = await this.sandboxes.speaksFor(caller, sandboxId);
    running(await this.reader.byId(id));
    const [creator] = await this.access.presentMembers([{ userId, orgId }]);
    if (creator?.permissions.has('use_conversations') !== true) throw new SandboxNotFoundError();
    return { userId, orgId, byLink };
  }
}

const NOT_ITS = 'It is not the sandbox whose key the call carries.';
const NOT_RUNNING = {
  409: 'The sandbox does not run (`sandbox_not_running`).',
  503: 'The sandbox is in ERROR (`sandbox_error`).',
};
const NOT_RUNNING_ERRORS = [
  new SandboxNotRunningError('PAUSED', '5b2f9f86-4d0c-4a3e-9d1b-0a4f6c1f2e22'),
  new SandboxFailedError(),
] as const;

@ApiTags('Calls of agent servers')
@Controller('api/v1/sandboxes/:sandbox_id/settings/secrets')
export class SandboxSecretsController {
  constructor(private readonly secrets: SandboxSecrets) {}

  @Get()
  @SandboxAccess()
  @ApiOperation({
    summary: 'List the secrets for a sandbox',
    description:
      'Those that its creator keeps, for clients that run an agent of their own in it; conversations get them when they start. None for an agent server that several sandboxes share.',
  })
  @ApiOkResponse({ type: SandboxSecretNames, description: 'Their names.' })
  @ApiErrors({ 404: NOT_ITS, ...NOT_RUNNING }, new SandboxNotFoundError(), ...NOT_RUNNING_ERRORS)
  listSandboxSecrets(
    @CurrentSandbox() caller: SandboxCaller,
    @Param() path: SandboxPath,
  ): Promise<SandboxSecretNames> {
    return this.secrets.names(caller, path.sandbox_id);
  }

  @Get(':secret_name')
  @SandboxAccess()
  @ApiOperation({
    summary: 'Read a secret for a sandbox',
    description: 'The value of a secret that its creator keeps, as text.',
  })
  @ApiProduces('text/plain')
  @ApiOkResponse({ schema: { type: 'string' }, description: 'The value.' })
  @ApiErrors(
    { 404: `${NOT_ITS} Or there is no such secret.`, ...NOT_RUNNING },
    new SandboxNotFoundError(),
    new SecretNotFoundError(),
    ...NOT_RUNNING_ERRORS,
  )
  async getSandboxSecret(
    @CurrentSandbox() caller: SandboxCaller,
    @Param() path: SandboxSecretPath,
    @Res({ passthrough: true }) response: Response,
  ): Promise<string> {
    const value = await this.secrets.value(caller, path.sandbox_id, path.secret_name);
    response.setHeader('Content-Type', 'text/plain; charset=utf-8');
    return value;
  }
}
