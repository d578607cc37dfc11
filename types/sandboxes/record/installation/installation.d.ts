import { Repository } from 'typeorm';
import { SandboxInstallation } from './sandbox-installation.entity';
/** Which installation this is: several may have their sandboxes in one place, and each cleans up after itself only. */
export declare class Installation {
    private readonly installations;
    private known;
    constructor(installations: Repository<SandboxInstallation>);
    /** The same for all replicas, for good; a copy of the database has it too. */
    id(): Promise<string>;
}
