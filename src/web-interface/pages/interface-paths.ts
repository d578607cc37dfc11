/** Paths of the interface's own router; what is below them is its too (docs/web-interface.md#what-is-served). */
const WITH_ALL_BELOW = ['/conversations', '/settings', '/automations'];

const ONLY_BELOW = ['/extensions/', '/shared/conversations/'];

const EXACT = ['/', '/launch', '/customize', '/skills', '/plugins', '/apps', '/mcp', '/oauth/device/verify'];

/** Whether the web interface shows something at a path, so that its index page answers it. */
export function isInterfacePath(path: string): boolean {
  const plain = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
  return (
    EXACT.includes(plain) ||
    WITH_ALL_BELOW.some((start) => plain === start || path.startsWith(`${start}/`)) ||
    ONLY_BELOW.some((start) => path.startsWith(start) && path.length > start.length)
  );
}
