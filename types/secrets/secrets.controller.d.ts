import { type Caller, type OrgContext } from '../auth';
import { Success } from '../http';
import { SecretCreate, SecretInfo, SecretPage, SecretPath, SecretSearch, SecretUpdate } from './secrets.dto';
import { SecretsService } from './secrets.service';
export declare class SecretsController {
    private readonly secrets;
    constructor(secrets: SecretsService);
    searchSecrets(caller: Caller, org: OrgContext, query: SecretSearch): Promise<SecretPage>;
    createSecret(caller: Caller, body: SecretCreate): Promise<SecretInfo>;
    getSecret(caller: Caller, org: OrgContext, path: SecretPath): Promise<SecretInfo>;
    updateSecret(caller: Caller, org: OrgContext, path: SecretPath, body: SecretUpdate): Promise<SecretInfo>;
    deleteSecret(caller: Caller, org: OrgContext, path: SecretPath): Promise<Success>;
}
