import { z } from 'zod';
import { JobHandlers } from '../../../src/kernel/jobs';
import { startTestApp } from '../../support/service/app';

const USUAL = '0d4f6c1f-2e11-4a3e-9d1b-7b1f9f864d0c';
/** The API takes ids of any version and variant. */
const UNUSUAL = '22222222-2222-0333-0444-555555555555';

/** The objects of a schema, with their fields. */
function objectsIn(schema: z.core.$ZodType): z.ZodObject[] {
  if (schema instanceof z.ZodPipe) return [...objectsIn(schema.in), ...objectsIn(schema.out)];
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(objectsIn);
  return schema instanceof z.ZodObject ? [schema] : [];
}

describe('a stored job', () => {
  it('can be read with every id that the API accepts', async () => {
    const schemas = new Map<string, z.ZodType>();
    const register = jest.spyOn(JobHandlers.prototype, 'register');
    const service = await startTestApp({ env: { APP_ROLE: 'api' } });
    for (const [name, schema] of register.mock.calls) schemas.set(name, schema);
    register.mockRestore();
    await service.close();

    const checked: string[] = [];
    for (const [name, schema] of schemas)
      for (const { shape } of objectsIn(schema))
        for (const [field, value] of Object.entries(shape)) {
          if (!z.safeParse(value, USUAL).success || z.safeParse(value, 'no id').success) continue;
          checked.push(`${name}: ${field}`);
          expect({ name, field, ...z.safeParse(value, UNUSUAL) }).toMatchObject({
            success: true,
            data: UNUSUAL,
          });
        }
    expect(checked).toEqual(
      expect.arrayContaining([
        'start-conversation: taskId',
        'deliver-messages: queueId',
        'backfill-events: conversationId',
        'conversation-removed: conversationId',
        'member-removed: user_id',
        'domain-event-relay: org_id',
      ]),
    );
  });
});
