import type { Conversations } from '../conversations/conversations';
import { type ApiRequest, type RouteEntry } from './http-api';
/** `/api/conversations` and what belongs to one conversation, apart from its events. */
export declare function conversationRoutes(conversations: Conversations): RouteEntry[];
/** The conversation id in a path. @throws HttpFault 422 when it is no UUID */
export declare function idIn({ params }: ApiRequest): string;
/** The limit of a search. @throws HttpFault 422 for less than 1 or more than 100 */
export declare function limitIn(query: URLSearchParams): number;
