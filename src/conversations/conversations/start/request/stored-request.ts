import { z } from 'zod';

const plugin = z.object({
  source: z.string(),
  ref: z.string().nullish(),
  repo_path: z.string().nullish(),
  parameters: z.record(z.string(), z.unknown()).nullish(),
});

const nullableText = z
  .string()
  .nullish()
  .transform((value) => value ?? null);

const storedRequest = z.object({
  selected_repository: nullableText,
  selected_branch: nullableText,
  git_provider: nullableText,
  llm_model: nullableText,
  agent_profile_id: nullableText,
  system_message_suffix: nullableText,
  title: nullableText,
  agent_type: z.string().default('default'),
  plugins: z
    .array(plugin)
    .nullish()
    .transform((plugins) => plugins ?? []),
});

/** A plugin that a conversation was asked to start with. */
export type StoredPlugin = z.infer<typeof plugin>;

/** The part of a stored request that the start job needs. */
export type StoredStartRequest = z.infer<typeof storedRequest>;

/** Reads a stored request. */
export function readStartRequest(request: unknown): StoredStartRequest {
  return storedRequest.parse(request);
}
