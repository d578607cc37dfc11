import { Module } from '@nestjs/common';
import { AgentServerClient } from './client/agent-server-client';

/** Provides the one client of agent servers. */
@Module({ providers: [AgentServerClient], exports: [AgentServerClient] })
export class AgentServerModule {}
