import { Module } from '@nestjs/common';
import { AgentServerModule } from '../../../sandboxes/agent-server';
import { AgentListeners } from './agent-listeners';
import { AgentMessages } from './agent-messages';
import { AgentRuns } from './agent-runs';
import { AgentWork } from './agent-work';

/** Sends messages to agent servers, and finds out whether agents work on them. */
@Module({
  imports: [AgentServerModule],
  providers: [AgentListeners, AgentMessages, AgentRuns, AgentWork],
  exports: [AgentListeners, AgentMessages, AgentRuns, AgentWork],
})
export class AgentMessagesModule {}
