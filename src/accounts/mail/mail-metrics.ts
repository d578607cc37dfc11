import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Metrics } from '../../kernel/http';
import { Mailer } from './mailer';

/** Metrics of the mails of this process. */
@Injectable()
export class MailMetrics {
  constructor({ registry }: Metrics, { attempts }: Mailer) {
    new Counter({
      name: 'mails_total',
      help: 'Attempts to send a mail: sent, delayed (to be tried again) or refused for good.',
      labelNames: ['result'] as const,
      registers: [registry],
      collect() {
        this.reset();
        for (const [result, count] of Object.entries(attempts)) this.inc({ result }, count);
      },
    });
  }
}
