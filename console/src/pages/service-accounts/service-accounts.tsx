import type { JSX } from 'preact';
import type { PageProps } from '../../app/pages';
import { AccountList } from './account-list';
import { AccountView } from './account-view';

/** Service accounts of the organization: all, or one with its keys, as the address says. */
export default function ServiceAccounts({ rest }: PageProps): JSX.Element {
  return rest === '' ? <AccountList /> : <AccountView key={rest} accountId={rest} />;
}
