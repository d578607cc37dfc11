import type { ComponentType, JSX } from 'preact';
import { useLocation } from 'preact-iso/router';
import { useEffect, useState } from 'preact/hooks';
import { api, BASE, bodyOf, CONSOLE, type Schemas } from '../api/client';
import { onSignedIn } from '../api/session';
import { Announcer } from '../parts/announce';
import { type Loaded, useLoad } from '../parts/load';
import { Page } from '../parts/page';
import { Loading, Shown } from '../parts/states';
import { texts } from '../text';
import { Layout } from './layout';
import { organizationOf, OrganizationProvider } from './organization';
import { type ConsolePage, type PageProps, PAGES } from './pages';
import { SIGNED_IN, SignedIn, SignInDialog } from './sign-in';

/** The console: what the address names of it, for whoever is signed in. */
export function App(): JSX.Element {
  const { path } = useLocation();
  const [orgId = '', page = '', ...rest] = path.slice(CONSOLE.length + 1).split('/');
  return (
    <>
      {orgId === SIGNED_IN ? (
        <SignedIn />
      ) : orgId === '' ? (
        <Start />
      ) : (
        <OfOrganization {...{ orgId, page, rest }} />
      )}
      <Announcer />
      <SignInDialog />
    </>
  );
}

/** Leads to the current organization of the account, or to another one where they have left that. */
function Start(): JSX.Element {
  const { route } = useLocation();
  const organizations = useLoad((signal) => bodyOf(api.GET('/api/organizations', { signal })), []);
  const first = organizations.data && firstOf(organizations.data);
  useEffect(() => {
    if (first !== undefined) route(`${CONSOLE}/${first}`, true);
  }, [first]);
  return (
    <main class="container">
      <Page title={texts.console.title}>
        <Shown of={organizations}>
          {() => (first === undefined ? <p>{texts.console.noOrganization}</p> : <Loading />)}
        </Shown>
      </Page>
    </main>
  );
}

function firstOf({ items, current_org_id, next_page_id }: Schemas['OrganizationPage']): string | undefined {
  const mayBeCurrent = next_page_id !== null || items.some(({ id }) => id === current_org_id);
  return (mayBeCurrent ? current_org_id : null) ?? items[0]?.id;
}

/** Whether who is signed in now is the person of a page; asked for without the question that this answers. */
async function isStill(orgId: string, userId: string | undefined): Promise<boolean> {
  const response = await fetch(`${BASE}/api/organizations/${orgId}/me`);
  const now: unknown = response.ok ? await response.json() : null;
  return typeof now === 'object' && now !== null && 'user_id' in now && now.user_id === userId;
}

function OfOrganization(props: { orgId: string; page: string; rest: readonly string[] }): JSX.Element {
  const { orgId, page } = props;
  const loaded = useLoad(
    async (signal) => {
      const params = { path: { org_id: orgId } };
      const [organization, me] = await Promise.all([
        bodyOf(api.GET('/api/organizations/{org_id}', { params, signal })),
        bodyOf(api.GET('/api/organizations/{org_id}/me', { params, signal })),
      ]);
      return { organization, me };
    },
    [orgId],
  );
  // While another organization is loaded, nothing of the one before is shown.
  const { organization: listed, me } = loaded.data ?? {};
  useEffect(() => onSignedIn(() => isStill(orgId, me?.user_id)), [orgId, me?.user_id]);
  if (listed?.id !== orgId || me === undefined)
    return (
      <main class="container">
        <Page title={texts.console.title}>
          <Shown of={{ ...loaded, data: undefined }}>{() => null}</Shown>
        </Page>
      </main>
    );
  const organization = organizationOf(listed, me, loaded.reload);
  const pages = PAGES.filter(({ isFor }) => isFor(organization));
  const shown = page === '' ? pages[0] : PAGES.find(({ path }) => path === page);
  return (
    <OrganizationProvider value={organization}>
      <Layout pages={pages} shown={shown}>
        {shown === undefined ? (
          <Page title={texts.console.notFound}>
            <a href={organization.path('')}>{texts.console.toStart}</a>
          </Page>
        ) : pages.includes(shown) ? (
          <Opened key={`${orgId}/${shown.path}`} page={shown} rest={props.rest.map(decoded).join('/')} />
        ) : (
          <Page title={texts.console.notAllowed}>
            <a href={organization.path('')}>{texts.console.toStart}</a>
          </Page>
        )}
      </Layout>
    </OrganizationProvider>
  );
}

/** A part of an address; one that is not encoded as parts are stays as it is. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** A page, whose module is loaded the first time. */
function Opened({ page, rest }: { page: ConsolePage; rest: string }): JSX.Element {
  const module: Loaded<{ default: ComponentType<PageProps> }> = useLoad(page.load, [page.path]);
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), 300);
    return () => clearTimeout(timer);
  }, []);
  if (module.data === undefined && module.error === undefined && !isSlow) return <></>;
  return <Shown of={module}>{({ default: Content }) => <Content rest={rest} />}</Shown>;
}
