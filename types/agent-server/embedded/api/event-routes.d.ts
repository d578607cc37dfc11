import type { Conversations } from '../conversations/conversations';
import { type RouteEntry } from './http-api';
/** `/api/conversations/:id/events`: a message in, events out. */
export declare function eventRoutes(conversations: Conversations): RouteEntry[];
/** Times with a zone are read as this machine's local time, in which events carry theirs. */
export declare function localTime(text: string | null): string | null;
