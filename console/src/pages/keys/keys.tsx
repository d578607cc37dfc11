import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { api, bodyOf, type Schemas } from '../../api/client';
import { useOrganization } from '../../app/organization';
import { useLoad } from '../../parts/load';
import { Page, Section } from '../../parts/page';
import { Empty, Shown } from '../../parts/states';
import { DataTable } from '../../parts/table';
import { texts } from '../../text';
import { type Key, keyColumns } from './key-columns';
import { MakeKey } from './make-key';
import { RevokeKey } from './revoke-key';
import { Sessions } from './sessions';

/** Keys and sessions of a person, and the key that they are signed in with. */
export interface Credentials {
  readonly keys: readonly Key[];
  readonly sessions: readonly Schemas['BrowserSessionResponse'][];
  readonly current: Schemas['CurrentApiKey'];
}

/** Keys and sessions of the person. */
export default function Keys(): JSX.Element {
  const { id, header } = useOrganization();
  const [asked, setAsked] = useState<{ readonly revoke?: Key }>();
  const loaded = useLoad(
    async (signal): Promise<Credentials> => {
      const call = { params: { header }, signal };
      const [keys, sessions, current] = await Promise.all([
        bodyOf(api.GET('/api/keys', call)),
        bodyOf(api.GET('/api/sessions', call)),
        bodyOf(api.GET('/api/keys/current', call)),
      ]);
      return { keys: keys.toReversed(), sessions, current };
    },
    [id],
  );
  const close = (): void => setAsked(undefined);
  return (
    <Page
      title={texts.menu.keys}
      actions={
        <button type="button" onClick={() => setAsked({})}>
          {texts.keys.make}
        </button>
      }
    >
      <Shown of={loaded}>
        {(credentials) => (
          <>
            <Section title={texts.keys.keys}>
              <p>{texts.keys.about}</p>
              {credentials.keys.length === 0 ? (
                <Empty />
              ) : (
                <DataTable
                  caption={texts.keys.keys}
                  rows={credentials.keys}
                  idOf={(key) => String(key.id)}
                  columns={keyColumns(id, (revoke) => setAsked({ revoke }))}
                />
              )}
            </Section>
            <Sessions {...credentials} onEnded={loaded.reload} />
            {asked?.revoke !== undefined && (
              <RevokeKey revoked={asked.revoke} {...credentials} onRevoked={loaded.reload} onClose={close} />
            )}
          </>
        )}
      </Shown>
      {asked !== undefined && asked.revoke === undefined && (
        <MakeKey
          mayReachAll={loaded.data?.current.bound_org_id === null}
          onMade={loaded.reload}
          onClose={close}
        />
      )}
    </Page>
  );
}
