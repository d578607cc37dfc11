import { type DynamicModule } from '@nestjs/common';
/** Sandboxes: their lifecycle, and the drivers that run them. */
export declare class SandboxesModule {
    /** @param hostId who this host is among those that run sandboxes */
    static forRoot(hostId: string): DynamicModule;
}
