import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { api, BASE, bodyOf, CONSOLE } from '../api/client';
import { Dropdown } from '../parts/dropdown';
import { useLoad } from '../parts/load';
import { Modal } from '../parts/modal';
import { Empty, Shown } from '../parts/states';
import { NextPages } from '../parts/table';
import { say, texts } from '../text';
import { useOrganization } from './organization';
import type { ConsolePage } from './pages';

/** What is around every page: the organization, the menu of what the role may see, and who is signed in. */
export function Layout(props: {
  pages: readonly ConsolePage[];
  shown: ConsolePage | undefined;
  children: ComponentChildren;
}): JSX.Element {
  const organization = useOrganization();
  const content = useRef<HTMLElement>(null);
  const [isChoosing, setChoosing] = useState(false);
  const [isMenuOpen, setMenuOpen] = useState(false);
  useEffect(() => setMenuOpen(false), [props.shown]);
  const { email, role } = organization.me;
  return (
    <div class="layout">
      <a
        class="skip"
        href="#content"
        onClick={(event) => {
          event.preventDefault();
          content.current?.focus();
        }}
      >
        {texts.console.skip}
      </a>
      <header class="top">
        <strong dir="auto">{organization.name}</strong>
        <button type="button" class="secondary outline" onClick={() => setChoosing(true)}>
          {texts.console.changeOrganization}
        </button>
        <Dropdown name={texts.console.account} class="account">
          <ul dir="auto">
            <li>{say(texts.console.signedInAs, { email: email ?? organization.me.user_id })}</li>
            <li>{texts.console.roles[role]}</li>
            <li>
              <form method="post" action={`${BASE}/logout`}>
                <button type="submit" class="secondary">
                  {texts.console.signOut}
                </button>
              </form>
            </li>
          </ul>
        </Dropdown>
        <button
          type="button"
          class="menu-button secondary outline"
          aria-expanded={isMenuOpen}
          aria-controls="menu"
          onClick={() => setMenuOpen(!isMenuOpen)}
        >
          {texts.console.menuButton}
        </button>
      </header>
      <nav id="menu" aria-label={texts.console.menu} class={isMenuOpen ? 'menu open' : 'menu'}>
        <ul>
          {props.pages.map(({ path, name }) => (
            <li key={path}>
              <a
                href={organization.path(path)}
                aria-current={path === props.shown?.path ? 'page' : undefined}
              >
                {name}
              </a>
            </li>
          ))}
          <li>
            <a href={`${BASE}/`}>{texts.console.webInterface}</a>
          </li>
          <li>
            <a href={`${BASE}/docs`}>{texts.console.api}</a>
          </li>
        </ul>
      </nav>
      <main id="content" tabIndex={-1} ref={content}>
        {props.children}
      </main>
      {isChoosing && <Organizations onClose={() => setChoosing(false)} />}
    </div>
  );
}

/** The organizations of the person. Choosing one changes the address of this tab, and nothing else. */
function Organizations({ onClose }: { onClose: () => void }): JSX.Element {
  const [pageId, setPageId] = useState<string | null>(null);
  const page = useLoad(
    (signal) =>
      bodyOf(
        api.GET('/api/organizations', {
          params: { query: pageId === null ? {} : { page_id: pageId } },
          signal,
        }),
      ),
    [pageId],
  );
  return (
    <Modal title={texts.console.changeOrganization} onClose={onClose}>
      <Shown of={page}>
        {({ items, next_page_id }) => (
          <>
            {items.length === 0 && <Empty />}
            <ul>
              {items.map(({ id, name, role }) => (
                <li key={id} dir="auto">
                  <a href={`${CONSOLE}/${id}`} onClick={onClose}>
                    {name}
                  </a>{' '}
                  <small>{texts.console.roles[role]}</small>
                </li>
              ))}
            </ul>
            <NextPages
              name={texts.console.organizations}
              pageId={pageId}
              nextPageId={next_page_id}
              onPage={setPageId}
            />
          </>
        )}
      </Shown>
    </Modal>
  );
}
