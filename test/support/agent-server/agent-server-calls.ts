import { hexOf } from '../../../src/kernel/common';

/** A call as it arrived at an agent server. */
export interface ArrivedCall {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  /** Of the trace that it is a part of. */
  readonly traceparent: string | undefined;
}

/** Tells the calls that are meant from all others. */
export type CallMatcher = (call: ArrivedCall) => boolean;

/** Calls with this method and path. */
export function callTo(method: string, path: string): CallMatcher {
  return (call) => call.method === method && call.path === path;
}

/** Calls that name a conversation in their path or body, however its id is spelled there. */
export function callAbout(conversationId: string): CallMatcher {
  const spellings = [conversationId, hexOf(conversationId)];
  return ({ path, body }) => spellings.some((id) => path.includes(id) || body.includes(id));
}

/** Any call that starts a conversation: for tests that look at all starts there are. */
export const isStart = callTo('POST', '/api/conversations');

/** Calls that start this conversation. */
export function startOf(conversationId: string): CallMatcher {
  const field = `"conversation_id":"${conversationId}"`;
  return (call) => isStart(call) && call.body.includes(field);
}

/** Any call that sends a message: for tests that look at all messages there are. */
export const isSend: CallMatcher = ({ method, path }) => method === 'POST' && path.endsWith('/events');

/** Calls that send messages to this conversation. */
export function sendTo(conversationId: string): CallMatcher {
  return callTo('POST', `/api/conversations/${conversationId}/events`);
}

/** Calls that send a text to this conversation. */
export function sendOf(conversationId: string, text: string): CallMatcher {
  const isMeant = sendTo(conversationId);
  return (call) => isMeant(call) && call.body.includes(JSON.stringify(text));
}

/** Calls that have the agent of this conversation run. */
export function runOf(conversationId: string): CallMatcher {
  return callTo('POST', `/api/conversations/${conversationId}/run`);
}

/** Calls that interrupt the agent of this conversation. */
export function interruptOf(conversationId: string): CallMatcher {
  return callTo('POST', `/api/conversations/${conversationId}/interrupt`);
}

/** Calls that look whether this conversation is there, and how it is. */
export function lookAt(conversationId: string): CallMatcher {
  return callTo('GET', `/api/conversations/${conversationId}`);
}

/** Calls that delete this conversation. */
export function deletionOf(conversationId: string): CallMatcher {
  return callTo('DELETE', `/api/conversations/${conversationId}`);
}

/** Calls for the skills that are loaded for this conversation. */
export function skillsFor(conversationId: string): CallMatcher {
  const isMeant = callAbout(conversationId);
  return (call) => call.path === '/api/skills' && isMeant(call);
}
