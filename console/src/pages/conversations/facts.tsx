import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';
import { useOrganization } from '../../app/organization';
import { SafeLink } from '../../parts/link';
import { When } from '../../parts/show';
import { money, number, say, texts } from '../../text';
import { executionText, tagTexts } from './conversation-texts';
import { Json, LongText } from './long-text';
import type { Conversation } from './use-conversation';

const words = texts.conversations;
const names = { ...words.columns, ...words.facts };

/** What a conversation's record has; what it has not is left out. */
export function Facts({ conversation }: { conversation: Conversation }): JSX.Element {
  const heading = useId();
  const { isOwn: _, address: __, ...record } = conversation;
  return (
    <section aria-labelledby={heading}>
      <h2 id={heading}>{words.record}</h2>
      <dl class="facts">
        {[...about(conversation), ...used(conversation)]
          .filter(([, fact]) => fact !== null && fact !== false && fact !== '')
          .map(([name, fact]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd dir="auto">{fact}</dd>
            </div>
          ))}
      </dl>
      <Json value={record} name={words.record} />
    </section>
  );
}

type Fact = readonly [name: string, fact: ComponentChildren];

function about(conversation: Conversation): Fact[] {
  const { launched_agent_profile: profile, parent_conversation_id: parent, title } = conversation;
  const pulls = conversation.pr_number.map((pr) => `#${pr}`).join(', ');
  const merged = conversation.pr_merged ? words.facts.merged : words.facts.notMerged;
  return [
    [names.title, title === null ? null : <LongText text={title} length={300} />],
    [names.id, <code>{conversation.id}</code>],
    [names.user_email, conversation.user_email ?? conversation.created_by_user_id],
    [names.execution_status, executionText(conversation.execution_status)],
    [
      names.selected_repository,
      conversation.selected_repository && <SafeLink to={conversation.selected_repository} />,
    ],
    [names.selected_branch, conversation.selected_branch],
    [names.provider, conversation.git_provider],
    [names.pr_number, pulls && (conversation.pr_merged === null ? pulls : `${pulls}, ${merged}`)],
    [names.trigger, conversation.trigger],
    [names.tags, <Tags tags={tagTexts(conversation.tags)} />],
    [names.agentKind, conversation.agent_kind],
    [
      names.profile,
      profile && say(names.profileRevision, { id: profile.agent_profile_id, revision: profile.revision }),
    ],
    [names.parent, parent && <ConversationLinks ids={[parent]} />],
    [
      names.subs,
      conversation.sub_conversation_ids.length > 0 && (
        <ConversationLinks ids={conversation.sub_conversation_ids} />
      ),
    ],
    [names.address, conversation.address && <SafeLink to={conversation.address} />],
    [names.folder, conversation.workspace && <code>{conversation.workspace.working_dir}</code>],
    [names.created_at, <When at={conversation.created_at} />],
    [names.updated_at, <When at={conversation.updated_at} />],
  ];
}

/** What it has used. */
function used({ llm_model, metrics }: Conversation): Fact[] {
  const { reasoning_tokens, context_window, per_turn_token } = metrics.accumulated_token_usage;
  return [
    [names.llm_model, llm_model],
    [names.accumulated_cost, money(metrics.accumulated_cost)],
    [names.budget, metrics.max_budget_per_task === null ? null : money(metrics.max_budget_per_task)],
    [names.total_tokens, number(metrics.prompt_tokens + metrics.completion_tokens)],
    [names.prompt_tokens, number(metrics.prompt_tokens)],
    [names.completion_tokens, number(metrics.completion_tokens)],
    [names.cacheRead, number(metrics.cache_read_tokens)],
    [names.cacheWrite, number(metrics.cache_write_tokens)],
    [names.reasoning, number(reasoning_tokens)],
    [
      names.context,
      context_window === 0
        ? null
        : say(names.contextOf, { used: number(per_turn_token), window: number(context_window) }),
    ],
  ];
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
