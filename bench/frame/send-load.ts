/** Sends the loads that its parent asks for. */
import { z } from 'zod';
import { measure } from '../org-list-load';

const loadSchema = z.object({
  port: z.number(),
  path: z.string(),
  key: z.string(),
  headers: z.record(z.string(), z.string()).optional(),
  connections: z.number(),
  seconds: z.number(),
});

process.on('message', (message) => {
  void measure(loadSchema.parse(message)).then((measured) => process.send?.(measured));
});
process.on('disconnect', () => process.exit());
