import { AppError } from '../../common';
/** 400: the MCP servers would not be as they have to be after a change (docs/contract.md#mcp-servers). */
export declare class McpConfigInvalidError extends AppError {
    /** @param problem what is wrong, without a value */
    constructor(problem: string);
}
