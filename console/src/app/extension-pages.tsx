import type { ComponentType, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { askedFetch, CONSOLE } from '../api/client';
import { Page } from '../parts/page';
import { Failure } from '../parts/states';
import { useOrganization } from './organization';
import type { ConsolePage, PageProps } from './pages';

/** What the page of an extension is given (docs/extending.md#pages-of-the-console). */
interface MountedPage {
  readonly orgId: string;
  /** What of the address follows the page's own. */
  readonly rest: string;
  /** As the browser's `fetch`; where the session has ended, the person is asked to sign in, and it is made again. */
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>;
}

/** A module of an extension; `mount` fills an element, and may return what ends that. */
interface PageModule {
  readonly mount: (element: HTMLElement, page: MountedPage) => (() => void) | undefined;
}

/** The pages that extensions add, as the service wrote them into the document. */
export function extensionPages(): ConsolePage[] {
  const listed: unknown = JSON.parse(document.documentElement.dataset['pages'] ?? '[]');
  return Array.isArray(listed) ? listed.flatMap(pageOf) : [];
}

function pageOf(listed: unknown): ConsolePage[] {
  if (typeof listed !== 'object' || listed === null || !('name' in listed) || !('title' in listed)) return [];
  const { name, title } = listed;
  if (typeof name !== 'string' || typeof title !== 'string') return [];
  const permission = 'permission' in listed ? listed.permission : null;
  return [
    {
      path: name,
      name: title,
      isFor: ({ me }) => permission === null || me.permissions.some((held) => held === permission),
      load: async () => {
        const module: unknown = await import(`${CONSOLE}/extensions/${name}.js`);
        if (!isPageModule(module)) throw new Error(`${name}.js exports no function mount.`);
        return { default: contentOf(title, module) };
      },
    },
  ];
}

function isPageModule(module: unknown): module is PageModule {
  return (
    typeof module === 'object' && module !== null && 'mount' in module && typeof module.mount === 'function'
  );
}

function contentOf(title: string, { mount }: PageModule): ComponentType<PageProps> {
  return function Content({ rest }: PageProps): JSX.Element {
    const { id } = useOrganization();
    const element = useRef<HTMLDivElement>(null);
    const [error, setError] = useState<Error>();
    useEffect(() => {
      if (element.current === null) return undefined;
      try {
        return mount(element.current, { orgId: id, rest, fetch: askedFetch });
      } catch (failure) {
        setError(failure instanceof Error ? failure : new Error(String(failure)));
        return undefined;
      }
    }, [id, rest]);
    return (
      <Page title={title}>
        {error !== undefined && <Failure error={error} />}
        <div ref={element} />
      </Page>
    );
  };
}
