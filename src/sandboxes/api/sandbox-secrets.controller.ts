import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentSandbox, SandboxAccess, type SandboxCaller } from '../../auth';
import { ApiErrors } from '../../http';
import { SandboxPath, SandboxSecretNames } from './sandboxes.dto';
import { SandboxNotFoundError } from '../record/sandboxes.errors';
import { SandboxesService } from './sandboxes.service';

@ApiTags('Calls of agent servers')
@Controller('api/v1/sandboxes/:sandbox_id/settings/secrets')
export class SandboxSecretsController {
  constructor(private readonly sandboxes: SandboxesService) {}

  @Get()
  @SandboxAccess()
  @ApiOperation({
    summary: 'List the secrets kept for a sandbox',
    description:
      'There are none: secrets belong to conversations, and go to their agent server when they start. Clients that run an agent of their own in a sandbox ask for them here.',
  })
  @ApiOkResponse({ type: SandboxSecretNames, description: 'None.' })
  @ApiErrors({ 404: 'It is not the sandbox whose key the call carries.' }, new SandboxNotFoundError())
  async listSandboxSecrets(
    @CurrentSandbox() caller: SandboxCaller,
    @Param() path: SandboxPath,
  ): Promise<SandboxSecretNames> {
    await this.sandboxes.assertSpeaksFor(caller, path.sandbox_id);
    return { secrets: [] };
  }
}
