import { SuggestedTaskWithMessageError } from '../../record/conversations.errors';
import type { AppConversationStartRequest } from '../tasks/start-conversation.dto';
import type { SuggestedTask } from '../tasks/suggested-task.dto';

/**
 * A start request with what its suggested task stands for: the first message, and repository, provider and trigger
 * where they are left out (docs/contract.md#start-request). Without such a task it is the request itself.
 * @throws SuggestedTaskWithMessageError
 */
export function withSuggestedTask(request: AppConversationStartRequest): AppConversationStartRequest {
  const { suggested_task: task } = request;
  if (!task) return request;
  if (request.initial_message) throw new SuggestedTaskWithMessageError();
  const stoodFor = {
    initial_message: {
      role: 'user',
      content: [{ type: 'text', text: instructions(task), cache_prompt: false }],
    },
    selected_repository: request.selected_repository ?? task.repo,
    git_provider: request.git_provider ?? task.git_provider,
    trigger: request.trigger ?? 'suggested_task',
  } satisfies Partial<AppConversationStartRequest>;
  return Object.assign({}, request, stoodFor);
}

/** What the agent is told to do. */
function instructions({ task_type: type, repo, issue_number: number, title }: SuggestedTask): string {
  const pullRequest = `pull request ${number} of ${repo} ("${title}")`;
  switch (type) {
    case 'OPEN_ISSUE':
      return `Resolve issue ${number} of ${repo} ("${title}"). Read the issue with its comments, make the change on a new branch, test it, and open a pull request that refers to the issue.`;
    case 'MERGE_CONFLICTS':
      return `Resolve the merge conflicts of ${pullRequest}. Check out its branch, merge the target branch into it so that both sides keep their meaning, run the tests, and push the branch.`;
    case 'FAILING_CHECKS':
      return `Make the failing checks of ${pullRequest} pass. Check out its branch, read why the checks fail, fix the cause rather than the check, run them where you can, and push the branch.`;
    case 'UNRESOLVED_COMMENTS':
      return `Address the unresolved review comments of ${pullRequest}. Check out its branch, read the comments, make the changes they ask for, and push the branch. Where you disagree with a comment, say why.`;
  }
}
