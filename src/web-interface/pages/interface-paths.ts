/** Paths of the interface's router, each with everything below (docs/web-interface.md#what-is-served). */
const ROUTE_PREFIXES = ['/conversations', '/settings', '/automations'];

const ONLY_BELOW = ['/extensions/', '/shared/conversations/'];

const EXACT = ['/', '/launch', '/customize', '/skills', '/plugins', '/apps', '/mcp', '/oauth/device/verify'];

/** Whether the web interface has a page at a path. */
export function isInterfacePath(path: string): boolean {
  const plain = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
  return (
    EXACT.includes(plain) ||
    ROUTE_PREFIXES.some((start) => plain === start || path.startsWith(`${start}/`)) ||
    ONLY_BELOW.some((start) => path.startsWith(start) && path.length > start.length)
  );
}
