export { AppError, ServiceUnavailableError } from './app-error';
export { MEBIBYTE } from './bytes';
export { Clock } from './clock';
export { Html, html, type HtmlValue } from './text/html';
export { isRecord } from './text/is-record';
export { checkNodeVersion } from './node-version';
export { messageOf } from './text/message-of';
export { plainHttpUrl } from './text/plain-url';
export { hexOf, newId, parseUuid, serialId } from './ids';
export { nearestFirst, type Owner, ownersFor, type Person } from './owner';
export { clampLimit, MAX_PAGE_LIMIT, pageOf, type Page } from './pages';
export { findNodeScript, type NodeScript } from './process/node-script';
export { type OwnPrograms, ownPrograms } from './process/own-programs';
export { digestOf, SecretBox } from './secret-box';
export { StartError } from './start-error';
export { AllowedHosts } from './network/allowed-hosts';
export {
  CheckedHosts,
  checkedLookup,
  HostProblem,
  PrivateHostError,
  UnknownHostError,
} from './network/checked-hosts';
export { HostLookup, SystemHostLookup } from './network/host-lookup';
export { asIpAddress, isPublicAddress } from './network/public-address';
export { cutText, jsonBytes, storableJson, storableOrNull, storableText } from './text/text';
export {
  firstOfNamespace,
  isDeadState,
  linuxProcess,
  processSpace,
  signal,
  startOf,
  waitUntilGone,
} from './process/processes';
export { endOf, otherEndsOf, type TcpSocket, tcpSockets } from './process/tcp-sockets';
export { takeAll } from './process/take-all';
export { shellWord } from './text/shell-word';
export { TtlCache } from './ttl-cache';
export { uuidText } from './uuid-text';
export { VERSION } from './version';
