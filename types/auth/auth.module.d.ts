import { type DynamicModule, type ModuleMetadata } from '@nestjs/common';
import type { LowestRoles } from './identity/permissions';
/** Authentication and authorization. Its ports are implemented by features and bound in the composition root. */
export declare class AuthModule {
    /**
     * @param adapters modules that export the implementations, and providers that bind the ports to them
     * @param permissions those of extensions
     */
    static forRoot(adapters: Required<Pick<ModuleMetadata, 'imports' | 'providers'>>, permissions: LowestRoles): DynamicModule;
}
