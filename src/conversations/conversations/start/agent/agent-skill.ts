import { z } from 'zod';

const loaded = z.looseObject({
  name: z.string(),
  content: z.string().default(''),
  triggers: z.array(z.string()).default([]),
  source: z.string().nullish(),
  description: z.string().nullish(),
  is_agentskills_format: z.boolean().default(false),
});

/** A skill in the form that start calls take. */
export type AgentSkill = Readonly<Record<string, unknown>> & { readonly name: string };

/**
 * A skill as the agent server lists it, in the form its start call takes: triggers become keywords.
 * @returns null for one that is not understood
 */
export function agentSkill(listed: unknown): AgentSkill | null {
  const skill = loaded.safeParse(listed);
  if (!skill.success) return null;
  const { name, content, triggers, source, description, is_agentskills_format } = skill.data;
  return {
    name,
    content,
    source: source ?? null,
    description: description ?? null,
    is_agentskills_format,
    trigger: triggers.length > 0 ? { type: 'keyword', keywords: triggers } : null,
  };
}
