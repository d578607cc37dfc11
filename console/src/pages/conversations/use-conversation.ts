import { api, bodyOf, type Schemas } from '../../api/client';
import { useOrganization } from '../../app/organization';
import { type Loaded, useLoad } from '../../parts/load';

/** A conversation's record, as far as the person may read it. */
export type Conversation = Omit<Schemas['AppConversation'], 'session_api_key'> & {
  /** Whether the person started it. */
  readonly isOwn: boolean;
  /** Who started it, where that may be known. */
  readonly user_email: string | null;
  /** The conversation at its agent server. */
  readonly address: string | null;
};

/** The record of a conversation: one's own, or one of the organization for whoever sees all of them. */
export function useConversation(id: string): Loaded<Conversation> {
  const organization = useOrganization();
  const { id: org_id, header, me } = organization;
  return useLoad(
    async (signal) => {
      const [{ session_api_key: _, ...record }, listed] = await Promise.all([
        bodyOf(api.GET('/api/v1/app-conversations/{id}', { params: { path: { id }, header }, signal })),
        organization.can('view_org_conversations')
          ? bodyOf(
              api.GET('/api/organizations/{org_id}/conversations/{conversation_id}', {
                params: { path: { org_id, conversation_id: id } },
                signal,
              }),
            )
          : null,
      ]);
      const isOwn = record.created_by_user_id === me.user_id;
      return {
        ...record,
        isOwn,
        user_email: isOwn ? me.email : (listed?.user_email ?? null),
        address: record.conversation_url ?? listed?.runtime_url ?? null,
      };
    },
    [org_id, id],
  );
}
