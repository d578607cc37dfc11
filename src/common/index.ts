export { AppError, ServiceUnavailableError } from './app-error';
export { Clock } from './clock';
export { Html, html, type HtmlValue } from './html';
export { hexOf, newId, parseUuid, serialId } from './ids';
export { clampLimit, MAX_PAGE_LIMIT, pageOf, type Page } from './pages';
export { digestOf, SecretBox } from './secret-box';
export { StartError } from './start-error';
export { storableJson, storableText } from './text';
export { isDeadState, linuxProcess, processSpace, signal, startOf, waitUntilGone } from './processes';
