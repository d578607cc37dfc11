import { AppError, appError } from '../../../kernel/common';

/** 400: the path is not in the conversation's folder (docs/contract.md#views-of-a-conversation). */
export const PathOutsideWorkspaceError = appError(
  400,
  'path_outside_workspace',
  'The path is not in the folder of the conversation.',
);

/** 404: there is no such file in the conversation's folder. */
export const FileNotFoundError = appError(
  404,
  'file_not_found',
  'There is no such file in the folder of the conversation.',
);

/** 409: the agent server refuses to switch the conversation's model. */
export class ModelNotSwitchedError extends AppError {
  constructor(reason: string) {
    super(409, 'model_not_switched', `The agent server does not change the model: ${reason}`);
  }
}
