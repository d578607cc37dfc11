import { providerOf } from '../../agents/agent-settings';

/**
 * The models that an agent may call, as the list of a provider.
 * @param names full names
 * @param isOfAnthropic whether it is asked for by a client of Anthropic's API
 */
export function modelList(names: readonly string[], isOfAnthropic: boolean): unknown {
  const sorted = [...names].sort();
  if (isOfAnthropic)
    return {
      data: sorted.map((id) => ({ type: 'model', id, display_name: id, created_at: '1970-01-01T00:00:00Z' })),
      has_more: false,
      first_id: sorted[0] ?? null,
      last_id: sorted.at(-1) ?? null,
    };
  const data = sorted.map((id) => ({
    id,
    object: 'model',
    created: 0,
    owned_by: providerOf(id) ?? 'unknown',
  }));
  return { object: 'list', data };
}
