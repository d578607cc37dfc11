import { Repository } from 'typeorm';
import { type SandboxCaller, SandboxCredentialVerifier } from '../../auth';
import { SandboxDrivers } from '../drivers/sandbox-drivers';
import { Sandbox } from '../record/sandbox.entity';
import { ExternalOrganization } from './external-organization.read-model';
/** Finds the sandbox behind the key that an agent server sends. */
export declare class SessionKeyVerifier extends SandboxCredentialVerifier {
    private readonly sandboxes;
    private readonly drivers;
    private readonly external;
    constructor(sandboxes: Repository<Sandbox>, drivers: SandboxDrivers, external: ExternalOrganization);
    verify(key: string): Promise<SandboxCaller | null>;
    private callerOfSharedServer;
    private isSharedKey;
}
