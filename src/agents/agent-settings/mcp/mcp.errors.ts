import { AppError } from '../../../kernel/common';

/** 400: the MCP servers would not be as they have to be after a change (docs/contract.md#mcp-servers). */
export class McpConfigInvalidError extends AppError {
  /** @param problem what is wrong, without a value */
  constructor(problem: string) {
    super(400, 'mcp_config_invalid', `The settings are not saved: ${problem}.`);
  }
}
