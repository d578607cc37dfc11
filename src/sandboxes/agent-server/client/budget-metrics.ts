import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Metrics } from '../../../kernel/http';
import { AgentServerClient } from './agent-server-client';
import { TOTAL_BYTES } from './exchange/response-budget';

/** Metrics of the memory that responses of agent servers may take. */
@Injectable()
export class BudgetMetrics {
  constructor({ registry }: Metrics, { budget }: AgentServerClient) {
    const registers = [registry];
    new Gauge({
      name: 'agent_server_response_bytes',
      help: 'Bytes that responses of agent servers hold in memory while they are read.',
      registers,
      collect() {
        this.set(budget.bytes);
      },
    });
    new Gauge({
      name: 'agent_server_response_budget_bytes',
      help: 'Bytes that they may hold together; beyond that the largest are given up.',
      registers,
    }).set(TOTAL_BYTES);
  }
}
