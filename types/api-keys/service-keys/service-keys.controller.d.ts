import { ServiceKeyCreate, ServiceKeyCreated, ServiceKeyPath } from './service-keys.dto';
import { ServiceKeys } from './service-keys.service';
export declare class ServiceKeysController {
    private readonly keys;
    constructor(keys: ServiceKeys);
    createServiceKey(path: ServiceKeyPath, body: ServiceKeyCreate): Promise<ServiceKeyCreated>;
}
