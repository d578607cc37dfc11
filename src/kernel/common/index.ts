export { AppError, appError, type FixedError, ServiceUnavailableError } from './app-error';
export { OAuthError, oauthError } from './oauth-error';
export { MEBIBYTE, upTo } from './bytes';
export { type Batch, inBatches } from './export/batches';
export { csvField, CsvLines } from './export/csv';
export { regularBytes } from './files/regular-bytes';
export { removeTree } from './files/remove-tree';
export { Clock } from './clock';
export { requestOf, responseOf } from './http-context';
export { HIDDEN, hiddenProblem, unlessHidden } from './text/hidden';
export { Html, html, type HtmlValue } from './text/html';
export { isRecord } from './text/is-record';
export { ExtensionError, StartError } from './start-error';
export { checkNodeVersion, nodeAdvice } from './process/node-version';
export { messageOf } from './text/message-of';
export { plainHttpUrl } from './text/plain-url';
export { nearestByName, nearestFirst, type Owner, ownersFor, ownOwnersFor, type Person } from './owner';
export { PAGE_ID_EXAMPLE, PageIdInvalidError, PageIds, pageInstant } from './paging/page-ids';
export { clampLimit, MAX_PAGE_LIMIT, pageOf, type Page } from './paging/pages';
export { giveBackMemory } from './process/give-back-memory';
export { findNodeScript, type NodeScript } from './process/node-script';
export { type OwnPrograms, ownPrograms } from './process/own-programs';
export { digestOf, SecretBox } from './secret-box';
export { backOff } from './concurrency/back-off';
export { settledWithin } from './concurrency/settled-within';
export { KeyedSemaphore } from './concurrency/keyed-semaphore';
export { freePort } from './network/free-port';
export { AllowedHosts } from './network/allowed-hosts';
export {
  CheckedHosts,
  checkedLookup,
  HostProblem,
  isLocalName,
  PrivateHostError,
  UnknownHostError,
} from './network/checked-hosts';
export { HostLookup, SystemHostLookup } from './network/host-lookup';
export { finishPausedParsers } from './network/paused-parsers';
export {
  asIpAddress,
  CLOUD_ADDRESSES,
  isOfCloud,
  isPublicAddress,
  NOT_PUBLIC_IPV4,
} from './network/public-address';
export {
  cutText,
  inOneLine,
  jsonBytes,
  searchText,
  shellWord,
  storableJson,
  storableOrNull,
  storableText,
} from './text/text';
export { WantedText } from './text/wanted-text';
export { outlivePeers } from './process/outlive-peers';
export {
  commandOfNamespace,
  firstOfNamespace,
  isDeadState,
  linuxProcess,
  processSpace,
  signal,
  startOf,
  waitUntilGone,
} from './process/processes';
export { endOf, otherEndsOf, type TcpSocket, userAtOtherEnd } from './process/tcp-sockets';
export { takeAll } from './process/take-all';
export { TtlCache } from './ttl-cache';
export { uuidText, hexOf, newId, parseUuid, serialId } from './ids';
export { VERSION } from './version';
