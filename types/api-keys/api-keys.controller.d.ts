import { type Caller, type OrgContext } from '../auth';
import { ApiKeyCreate, ApiKeyCreated, ApiKeyPath, ApiKeyResponse, ApiKeyRevoked, CurrentApiKey } from './api-keys.dto';
import { ApiKeysService } from './api-keys.service';
export declare class ApiKeysController {
    private readonly keys;
    constructor(keys: ApiKeysService);
    listApiKeys(caller: Caller): Promise<ApiKeyResponse[]>;
    createApiKey(caller: Caller, org: OrgContext, body: ApiKeyCreate): Promise<ApiKeyCreated>;
    getCurrentApiKey(caller: Caller, org: OrgContext): Promise<CurrentApiKey>;
    revokeApiKey(caller: Caller, path: ApiKeyPath): Promise<ApiKeyRevoked>;
}
