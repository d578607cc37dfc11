import type { JSX } from 'preact';
import { api, bodyOf } from '../../api/client';
import { useOrganization } from '../../app/organization';
import { useLoad } from '../../parts/load';
import { Page } from '../../parts/page';
import { When } from '../../parts/show';
import { Shown } from '../../parts/states';
import { DataTable } from '../../parts/table';
import { texts } from '../../text';

/** Keys and sessions of the person. */
export default function Keys(): JSX.Element {
  const { header } = useOrganization();
  const keys = useLoad(
    (signal) => bodyOf(api.GET('/api/keys', { params: { header }, signal })),
    [header['X-Org-Id']],
  );
  return (
    <Page title={texts.menu.keys}>
      <Shown of={keys}>
        {(rows) => (
          <DataTable
            caption={texts.menu.keys}
            rows={rows}
            idOf={({ id }) => String(id)}
            columns={[
              { key: 'name', name: 'name', show: ({ name, id }) => name ?? String(id), isHeader: true },
              { key: 'made', name: 'made', show: ({ created_at }) => <When at={created_at} /> },
            ]}
          />
        )}
      </Shown>
    </Page>
  );
}
