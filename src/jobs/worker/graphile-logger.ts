import { Logger as NestLogger } from '@nestjs/common';
import { Logger } from 'graphile-worker';

const SEVERE = new Set<string>(['error', 'warning']);

/**
 * What the queue library complains of, in the service's log. Its reports on single jobs are left out: the
 * worker makes its own, without stack traces of every try.
 */
export function graphileLogger(): Logger {
  const nest = new NestLogger('Jobs');
  return new Logger(() => (level, message, meta) => {
    if (meta !== undefined && ('failure' in meta || 'success' in meta)) return;
    if (SEVERE.has(level)) nest.warn(message);
  });
}
