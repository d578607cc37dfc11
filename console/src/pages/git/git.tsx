import type { JSX } from 'preact';
import { useOrganization } from '../../app/organization';
import { Page } from '../../parts/page';
import { texts } from '../../text';
import { Credentials } from './credentials';
import { ofOrganization, ofUser } from './operations';

/** Git credentials of the person and, for who may keep them, of the organization. */
export default function Git(): JSX.Element {
  const organization = useOrganization();
  return (
    <Page title={texts.menu.git}>
      <Credentials
        title={texts.git.own}
        about={texts.git.ownAbout}
        add={texts.git.addOwn}
        operations={ofUser(organization)}
      />
      {organization.can('edit_org_settings') && (
        <Credentials
          title={texts.git.ofOrganization}
          about={texts.git.ofOrganizationAbout}
          add={texts.git.addOrganization}
          operations={ofOrganization(organization)}
        />
      )}
    </Page>
  );
}
