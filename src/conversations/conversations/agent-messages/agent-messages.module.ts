import { Module } from '@nestjs/common';
import { AgentServerModule } from '../../../sandboxes/agent-server';
import { AgentListeners } from './agent-listeners';
import { AgentMessages } from './agent-messages';
import { AgentRuns } from './agent-runs';

/** Sends messages to agent servers. */
@Module({
  imports: [AgentServerModule],
  providers: [AgentListeners, AgentMessages, AgentRuns],
  exports: [AgentListeners, AgentMessages, AgentRuns],
})
export class AgentMessagesModule {}
