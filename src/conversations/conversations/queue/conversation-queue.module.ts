import { type DynamicModule, Module, type ModuleMetadata } from '@nestjs/common';
import { ConversationQueue } from './conversation-queue';

/** Binds {@link ConversationQueue} to what implements it. */
@Module({})
export class ConversationQueueModule {
  /** @param adapters modules that export the implementation, and the provider that binds it */
  static forRoot(adapters: Required<Pick<ModuleMetadata, 'imports' | 'providers'>>): DynamicModule {
    return { module: ConversationQueueModule, global: true, ...adapters, exports: [ConversationQueue] };
  }
}
