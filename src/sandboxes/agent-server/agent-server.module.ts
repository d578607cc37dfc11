import { Module } from '@nestjs/common';
import { BudgetMetrics } from './client/budget-metrics';
import { AgentServerClient } from './client/agent-server-client';

/** Provides the one client of agent servers. */
@Module({ providers: [AgentServerClient, BudgetMetrics], exports: [AgentServerClient] })
export class AgentServerModule {}
