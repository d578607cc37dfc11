import { z } from 'zod';
import { parseUuid } from '../../../kernel/common';
import { llmSchema } from './agent';
import { sendMessageSchema } from './messages';

const uuid = z.string().transform((text, context) => {
  const id = parseUuid(text);
  if (id !== null) return id;
  context.addIssue({ code: 'custom', message: 'Input should be a valid UUID' });
  return z.NEVER;
});

const agentSchema = z.looseObject({
  llm: llmSchema,
  tools: z.array(z.unknown()).default([]),
  agent_context: z.looseObject({ system_message_suffix: z.string().nullish() }).nullish(),
});

export const tagsSchema = z.record(z.string().regex(/^[a-z0-9]+$/), z.string().max(256));

/** `POST /api/conversations`, as far as it means something here; other fields are ignored. */
export const startRequestSchema = z.object({
  workspace: z.looseObject({ working_dir: z.string() }),
  conversation_id: uuid.nullish(),
  parent_conversation_id: uuid.nullish(),
  agent: agentSchema.nullish(),
  agent_settings: z.looseObject({ llm: llmSchema.optional() }).nullish(),
  agent_profile_id: uuid.nullish(),
  initial_message: sendMessageSchema.nullish(),
  max_iterations: z.number().int().positive().optional(),
  stuck_detection: z.boolean().optional(),
  confirmation_policy: z.unknown().optional(),
  secrets: z.record(z.string(), z.unknown()).optional(),
  tags: tagsSchema.optional(),
  autotitle: z.boolean().optional(),
});
export type StartRequest = z.infer<typeof startRequestSchema>;
