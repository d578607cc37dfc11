import { type DynamicModule, type ModuleMetadata } from '@nestjs/common';
/** Conversations: their records, their start, and messages to them. */
export declare class ConversationsModule {
    /** @param adapters modules that export what implements `ConversationQueue`, and the provider that binds it */
    static forRoot(adapters: Required<Pick<ModuleMetadata, 'imports' | 'providers'>>): DynamicModule;
}
