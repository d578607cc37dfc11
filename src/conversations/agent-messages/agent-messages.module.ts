import { Module } from '@nestjs/common';
import { AgentServerModule } from '../../agent-server';
import { AgentMessages } from './agent-messages';
import { AgentRuns } from './agent-runs';

/** Messages to agent servers, for whoever has one to send. */
@Module({
  imports: [AgentServerModule],
  providers: [AgentMessages, AgentRuns],
  exports: [AgentMessages, AgentRuns],
})
export class AgentMessagesModule {}
