import { type BashService } from './bash-service';
import { type RouteEntry } from './http-api';
import type { SandboxFolder } from '../config/sandbox-folder';
/**
 * Commands and files of the sandbox, and what the real agent server loads from it and knows of models: here there is none.
 * @param bash null where commands are refused
 */
export declare function sandboxRoutes(bash: BashService | null, folder: SandboxFolder): RouteEntry[];
