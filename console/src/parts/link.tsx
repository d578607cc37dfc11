import type { ComponentChildren, JSX } from 'preact';

/** An address that somebody wrote, if it may be a link: of the web, and of no other scheme. */
export function safeLink(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const { protocol, href } = new URL(address);
  return protocol === 'http:' || protocol === 'https:' ? href : null;
}

/** Somebody's address, as a link where it may be one; it opens in a new tab, and learns nothing of this one. */
export function SafeLink(props: { to: string; children?: ComponentChildren }): JSX.Element {
  const { to, children = to } = props;
  const href = safeLink(to);
  if (href === null) return <bdi>{children}</bdi>;
  return (
    <a href={href} target="_blank" rel="noreferrer noopener" dir="auto">
      {children}
    </a>
  );
}
