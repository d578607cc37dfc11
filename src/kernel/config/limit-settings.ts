import { z } from 'zod';
import { oneOf, perMinute, positive, seconds } from './setting-types';

/** Limits of time, number and size. */
export const limitSettings = {
  SEND_TIMEOUT_SECONDS: z.coerce
    .number('must be a number')
    .positive()
    .default(30)
    .describe('Time limit of one call to an agent server.'),
  DOWNLOAD_IDLE_SECONDS: seconds(60).describe(
    'Time after which a download of a conversation ends when nobody reads it.',
  ),
  DOWNLOAD_SECONDS: seconds(1_800).describe('Time that a download of a conversation may take.'),
  DELIVERY_SETTLE_SECONDS: z.coerce
    .number('must be a number')
    .nonnegative()
    .default(10)
    .describe('Wait after a delivery whose outcome is unknown, before the log is searched for it.'),
  MAX_SANDBOXES: positive(100).describe('Sandboxes of the installation that are not paused.'),
  MAX_SANDBOXES_PER_ORG: positive(20).describe('Sandboxes of one organization that are not paused.'),
  SANDBOX_IDLE_SECONDS: seconds(1200).describe('Idle time after which a sandbox is paused.'),
  SANDBOX_START_SECONDS: seconds(120).describe('Time a sandbox has to answer after start or resume.'),
  INVITE_ADDRESSES_PER_HOUR: positive(100).describe('Invited addresses of an organization in any hour.'),
  INVITE_CALLS_PER_MINUTE: positive(30).describe('Invitation calls of one inviter in any minute.'),
  READ_CALLS_PER_MINUTE: perMinute(30_000).describe(
    'Reading requests of one key in a minute; 0 for any number.',
  ),
  SEND_CALLS_PER_MINUTE: perMinute(6_000).describe(
    'Messages that one key sends or queues in a minute; 0 for any number.',
  ),
  LIFECYCLE_CALLS_PER_MINUTE: perMinute(6_000).describe(
    'Other requests of one key that change something, in a minute; 0 for any number.',
  ),
  USER_CALLS_FACTOR: positive(3).describe(
    'How many times what one key may send in a minute all keys of a user may send together.',
  ),
  OPEN_PER_USER: positive(200).describe(
    'Streams of a user, WebSockets of a user through the door, and calls of a user that wait for agent servers: so many of each at a time, for each replica.',
  ),
  OPEN_STREAMS: positive(2_000).describe(
    'Streams that are open at a time in all, for each replica; each takes some 25 kB while nothing happens.',
  ),
  WAITING_CALLS: positive(2_000).describe(
    'Calls of clients that wait for agent servers at a time in all, for each replica.',
  ),
  ORGANIZATION_SHARE_PERCENT: z.coerce
    .number('must be a number')
    .int()
    .min(1)
    .max(100)
    .default(50)
    .describe(
      'Part of what a replica has of each that one organization may take: streams, connections through the door, calls that wait for agent servers, downloads, git searches, previews of marketplaces and fetches of repositories. 100 where there is one organization.',
    ),
  WEBHOOK_CALLS_PER_MINUTE: perMinute(6_000).describe(
    'Calls of the agent server of one sandbox in a minute; 0 for any number. One that serves several sandboxes is not limited.',
  ),
  PUBLIC_CALLS_PER_MINUTE: perMinute(1_200).describe(
    'Requests for the pages of invitations and to sign in at, and for logins of devices, by one address in a minute; 0 for any number.',
  ),
  PROBE_CALLS_PER_MINUTE: perMinute(600).describe(
    'Requests for `/ready`, `/health`, `/metrics`, `/openapi.json` and the files of `/docs`, by one address in a minute; 0 for any number. Behind a reverse proxy, `TRUSTED_HOPS` tells its own probes from what it passes on.',
  ),
  FAILED_CREDENTIALS_PER_MINUTE: perMinute(600).describe(
    'Credentials that do not work, by one address in a minute; 0 for any number.',
  ),
  SANDBOX_ACCESS: oneOf(['direct', 'mixed', 'door'])
    .optional()
    .describe(
      'How callers are told to reach agent servers: `direct` at their own addresses, where the driver allows it; `door` through the service; `mixed`: conversations through the service, sandboxes at their own addresses. The door itself is always open. Default: `door` with `MODEL_GATEWAY=on`, else `mixed` where the web interface is served, else `direct`.',
    ),
  DOOR_CALLS_PER_MINUTE: perMinute(30_000).describe(
    'Requests of one key, or of one sandbox with its own key, through the door in a minute; 0 for any number. A WebSocket is one.',
  ),
  DOOR_CONNECTIONS: positive(4_096).describe(
    'Requests and WebSockets under way at a time through the door in all, for each replica.',
  ),
  DOOR_CONNECTIONS_PER_SANDBOX: positive(256).describe(
    'Requests and WebSockets under way at a time through the door to one sandbox, for each replica.',
  ),
  DOOR_CONNECTIONS_PER_USER: positive(1_024).describe(
    'Requests and WebSockets under way at a time through the door to all sandboxes of one user, for each replica.',
  ),
  DOOR_MEBIBYTES_PER_SANDBOX: positive(16).describe(
    'Bytes on their way through the door to and from one sandbox that the service may hold, in MiB; beyond it nothing new begins.',
  ),
  DOOR_MEBIBYTES_PER_USER: positive(64).describe('The same for all sandboxes of one user together, in MiB.'),
  DOOR_IDLE_SECONDS: seconds(900).describe(
    'Time after which a request through the door is cut off when no byte of it moved.',
  ),
  DOOR_PING_SECONDS: seconds(25).describe(
    'How often both ends of a WebSocket through the door are asked whether they are there; one that is silent until the next time is gone.',
  ),
  KEEP_ALIVE_SECONDS: seconds(75).describe(
    'Time an idle connection is kept open; longer than a load balancer in front of the service keeps it.',
  ),
  STOP_DELAY_SECONDS: z.coerce
    .number('must be a number')
    .nonnegative()
    .max(300)
    .default(0)
    .describe(
      'Time between a signal to stop and the stop, in which `/ready` answers 503 and everything else goes on: longer than load balancers take to notice.',
    ),
  TRUSTED_HOPS: z.coerce
    .number('must be a number')
    .int()
    .nonnegative()
    .default(0)
    .describe(
      'Reverse proxies in front of the service: so many entries of `X-Forwarded-For`, from its end, are believed when the address of a caller is determined.',
    ),
  EARLY_QUEUE_MEBIBYTES: positive(25).describe(
    'Undelivered messages under one id that no conversation has yet, in MiB.',
  ),
  MESSAGE_MEBIBYTES_PER_USER: positive(100).describe('Undelivered messages of a user, in MiB.'),
  MESSAGE_MEBIBYTES_PER_ORG: positive(1024).describe('Undelivered messages of an organization, in MiB.'),
  DELIVERED_DAYS: positive(7).describe('Days that messages are kept after they were delivered or failed.'),
  DELIVERED_MEBIBYTES_PER_ORG: positive(1024).describe(
    'Delivered and failed messages that are kept of an organization, in MiB; beyond it the oldest go.',
  ),
  EVENT_MEBIBYTES_PER_CONVERSATION: positive(2048).describe('Stored events of a conversation, in MiB.'),
  EVENT_MEBIBYTES_PER_ORG: positive(204_800).describe('Stored events of an organization, in MiB.'),
};
