import { Module } from '@nestjs/common';
import { AgentSettingsModule } from '../../agents/agent-settings';
import { BudgetsModule } from '../../agents/budgets';
import { GatewayAccessModule } from '../../agents/gateway-access';
import { ModelPolicyModule } from '../../agents/model-policy';
import { CallAdmission } from './admission/call-admission';
import { ModelCallRun } from './calls/model-call-run';
import { ProviderTries } from './calls/provider-tries';
import { GatewayMetrics } from './gateway-metrics';
import { ModelGateway } from './model-gateway';
import { KeyPlaces } from './providers/key-places';
import { ProviderConnections } from './providers/provider-connections';
import { AnswerMemory } from './usage/answer-memory';

/** The gateway through which agents call models, where it is on. */
@Module({
  imports: [AgentSettingsModule, BudgetsModule, GatewayAccessModule, ModelPolicyModule],
  providers: [
    AnswerMemory,
    CallAdmission,
    GatewayMetrics,
    KeyPlaces,
    ModelCallRun,
    ModelGateway,
    ProviderConnections,
    ProviderTries,
  ],
})
export class ModelGatewayModule {}
