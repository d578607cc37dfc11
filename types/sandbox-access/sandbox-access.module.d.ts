import { type MiddlewareConsumer, type NestModule } from '@nestjs/common';
/** The door: one address of the service through which callers reach the agent servers of their sandboxes. */
export declare class SandboxAccessModule implements NestModule {
    configure(consumer: MiddlewareConsumer): void;
}
