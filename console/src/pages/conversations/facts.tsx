import type { ComponentChildren, JSX } from 'preact';
import { useOrganization } from '../../app/organization';
import { SafeLink } from '../../parts/link';
import { Section } from '../../parts/page';
import { Facts, When } from '../../parts/show';
import { money, number, say, texts } from '../../text';
import { executionText, tagTexts } from './conversation-texts';
import { Json, LongText } from './long-text';
import type { Conversation } from './use-conversation';

const words = texts.conversations;
const names = { ...words.columns, ...words.facts };

/** What a conversation's record has; what it has not is left out. */
export function RecordFacts({ conversation }: { conversation: Conversation }): JSX.Element {
  const { isOwn: _, address: __, ...record } = conversation;
  return (
    <Section title={words.record}>
      <Facts of={{ ...about(conversation), ...used(conversation) }} />
      <Json value={record} name={words.record} />
    </Section>
  );
}

type NamedFacts = Readonly<Record<string, ComponentChildren>>;

function about(conversation: Conversation): NamedFacts {
  const { launched_agent_profile: profile, parent_conversation_id: parent, title } = conversation;
  const { address, workspace, selected_repository: repository, sub_conversation_ids: subs } = conversation;
  const pulls = conversation.pr_number.map((pr) => `#${pr}`).join(', ') || null;
  const merged = conversation.pr_merged ? names.merged : names.notMerged;
  return {
    [names.title]: title && <LongText text={title} length={300} />,
    [names.id]: <code>{conversation.id}</code>,
    [names.user_email]: conversation.user_email ?? conversation.created_by_user_id,
    [names.execution_status]: executionText(conversation.execution_status),
    [names.selected_repository]: repository && <SafeLink to={repository} />,
    [names.selected_branch]: conversation.selected_branch,
    [names.provider]: conversation.git_provider,
    [names.pr_number]: pulls && (conversation.pr_merged === null ? pulls : `${pulls}, ${merged}`),
    [names.trigger]: conversation.trigger,
    [names.tags]: <Tags tags={tagTexts(conversation.tags)} />,
    [names.agentKind]: conversation.agent_kind,
    [names.profile]:
      profile && say(names.profileRevision, { id: profile.agent_profile_id, revision: profile.revision }),
    [names.parent]: parent && <ConversationLinks ids={[parent]} />,
    [names.subs]: subs.length > 0 ? <ConversationLinks ids={subs} /> : null,
    [names.address]: address && <SafeLink to={address} />,
    [names.folder]: workspace && <code>{workspace.working_dir}</code>,
    [names.created_at]: <When at={conversation.created_at} />,
    [names.updated_at]: <When at={conversation.updated_at} />,
  };
}

/** What it has used. */
function used({ llm_model, metrics }: Conversation): NamedFacts {
  const { max_budget_per_task: budget, accumulated_token_usage: tokens } = metrics;
  const { context_window: window, per_turn_token } = tokens;
  return {
    [names.llm_model]: llm_model,
    [names.accumulated_cost]: money(metrics.accumulated_cost),
    [names.budget]: budget === null ? null : money(budget),
    [names.total_tokens]: number(metrics.prompt_tokens + metrics.completion_tokens),
    [names.prompt_tokens]: number(metrics.prompt_tokens),
    [names.completion_tokens]: number(metrics.completion_tokens),
    [names.cacheRead]: number(metrics.cache_read_tokens),
    [names.cacheWrite]: number(metrics.cache_write_tokens),
    [names.reasoning]: number(tokens.reasoning_tokens),
    [names.context]: window === 0 ? null : say(names.contextOf, { used: per_turn_token, window }),
  };
}

function Tags({ tags }: { tags: readonly string[] }): JSX.Element | null {
  if (tags.length === 0) return <>–</>;
  return (
    <ul>
      {tags.map((tag) => (
        <li key={tag} dir="auto">
          {tag}
        </li>
      ))}
    </ul>
  );
}

function ConversationLinks({ ids }: { ids: readonly string[] }): JSX.Element {
  const organization = useOrganization();
  return (
    <ul>
      {ids.map((id) => (
        <li key={id}>
          <a href={organization.path(`conversations/${id}`)}>{id}</a>
        </li>
      ))}
    </ul>
  );
}
