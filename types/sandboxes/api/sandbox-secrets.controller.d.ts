import type { Response } from 'express';
import { type SandboxCaller } from '../../auth';
import { SandboxPath, SandboxSecretNames, SandboxSecretPath } from './sandboxes.dto';
import { SandboxSecrets } from './sandbox-secrets';
export declare class SandboxSecretsController {
    private readonly secrets;
    constructor(secrets: SandboxSecrets);
    listSandboxSecrets(caller: SandboxCaller, path: SandboxPath): Promise<SandboxSecretNames>;
    getSandboxSecret(caller: SandboxCaller, path: SandboxSecretPath, response: Response): Promise<string>;
}
