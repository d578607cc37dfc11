import { Logger as NestLogger } from '@nestjs/common';
import { Logger } from 'graphile-worker';

const SEVERE = new Set<string>(['error', 'warning']);

/**
 * Forwards warnings and errors of graphile-worker to the service's log. Its messages about single jobs are
 * dropped: the worker logs those itself.
 */
export function graphileLogger(): Logger {
  const nest = new NestLogger('Jobs');
  return new Logger(() => (level, message, meta) => {
    if (meta !== undefined && ('failure' in meta || 'success' in meta)) return;
    if (SEVERE.has(level)) nest.warn(message);
  });
}
