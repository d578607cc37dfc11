import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { api, bodyOf } from '../../api/client';
import { useOrganization } from '../../app/organization';
import { useLoad } from '../../parts/load';
import { Page } from '../../parts/page';
import { Facts, When } from '../../parts/show';
import { Shown } from '../../parts/states';
import { DataTable } from '../../parts/table';
import { texts } from '../../text';
import { Change } from './change';
import { fieldOf, type Kind, KINDS, period, type Periods } from './periods';

const words = texts.retention;

/** How long what is kept, and, for who may, how to change it. */
export default function Retention(): JSX.Element {
  const { id: org_id, can } = useOrganization();
  const [isChanging, setChanging] = useState(false);
  const periods = useLoad(
    (signal) =>
      bodyOf(api.GET('/api/organizations/{org_id}/retention', { params: { path: { org_id } }, signal })),
    [org_id],
  );
  return (
    <Page
      title={texts.menu.retention}
      actions={
        can('manage_retention') &&
        periods.data !== undefined && (
          <button type="button" onClick={() => setChanging(true)}>
            {words.change}
          </button>
        )
      }
    >
      <p>{words.about}</p>
      <Shown of={periods}>
        {(data) => (
          <>
            <DataTable
              caption={words.periods}
              rows={KINDS}
              idOf={(kind) => kind}
              columns={[
                { key: 'what', name: words.what, isHeader: true, show: (kind) => words.kinds[kind] },
                { key: 'kept', name: words.kept, show: (kind) => <Kept kind={kind} of={data} /> },
                {
                  key: 'installation',
                  name: words.installation,
                  show: (kind) => period(data.defaults[fieldOf(kind)]),
                },
              ]}
            />
            <Facts
              of={{
                [words.setAt]: data.updated_at === null ? words.neverSet : <When at={data.updated_at} />,
              }}
            />
          </>
        )}
      </Shown>
      {isChanging && periods.data !== undefined && (
        <Change periods={periods.data} onChanged={periods.reload} onClose={() => setChanging(false)} />
      )}
    </Page>
  );
}

function Kept({ kind, of }: { kind: Kind; of: Periods }): JSX.Element {
  const own = of[fieldOf(kind)];
  if (own !== null) return <>{period(own)}</>;
  return (
    <>
      {period(of.defaults[fieldOf(kind)])}
      <small class="below">{words.ofInstallation}</small>
    </>
  );
}
