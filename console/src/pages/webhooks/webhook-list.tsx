import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { api, bodyOf, type Schemas } from '../../api/client';
import { useOrganization } from '../../app/organization';
import { useAddress } from '../../parts/address';
import { announce } from '../../parts/announce';
import { useLoad } from '../../parts/load';
import { Modal } from '../../parts/modal';
import { Page } from '../../parts/page';
import { Secret, When } from '../../parts/show';
import { Empty, Shown } from '../../parts/states';
import { DataTable, NextPages } from '../../parts/table';
import { say, texts } from '../../text';
import { kindTexts } from './kinds';
import { WebhookForm } from './webhook-form';
import { WebhookState } from './webhook-state';

/** The webhooks of the organization, and how to make one. */
export function WebhookList(): JSX.Element {
  const { id, path } = useOrganization();
  const { query, change } = useAddress();
  const { page_id } = query;
  const [isMaking, setMaking] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const params = { path: { org_id: id } };
  const page = useLoad(
    (signal) =>
      bodyOf(
        api.GET('/api/organizations/{org_id}/webhooks', {
          params: { ...params, query: page_id === undefined ? {} : { page_id } },
          signal,
        }),
      ),
    [id, page_id],
  );
  const make = async (body: Schemas['WebhookCreate']): Promise<void> => {
    const made = await bodyOf(api.POST('/api/organizations/{org_id}/webhooks', { params, body }));
    announce(texts.webhooks.made);
    setSecret(made.secret);
    page.reload();
  };
  return (
    <Page
      title={texts.menu.webhooks}
      actions={
        <button type="button" onClick={() => setMaking(true)}>
          {texts.webhooks.make}
        </button>
      }
    >
      <p>{texts.webhooks.intro}</p>
      <Shown of={page}>
        {({ items, next_page_id }) => (
          <>
            {items.length === 0 ? (
              <Empty>{texts.webhooks.none}</Empty>
            ) : (
              <DataTable
                caption={texts.menu.webhooks}
                rows={items}
                idOf={(webhook) => webhook.id}
                columns={[
                  {
                    key: 'url',
                    name: texts.webhooks.url,
                    show: (webhook) => <a href={path(`webhooks/${webhook.id}`)}>{webhook.url}</a>,
                    isHeader: true,
                  },
                  {
                    key: 'description',
                    name: texts.webhooks.description,
                    show: ({ description }) => description || '–',
                  },
                  { key: 'kinds', name: texts.webhooks.kinds, show: ({ kinds }) => kindsInShort(kinds) },
                  {
                    key: 'state',
                    name: texts.webhooks.state,
                    show: (webhook) => <WebhookState webhook={webhook} />,
                  },
                  {
                    key: 'created_at',
                    name: texts.webhooks.madeAt,
                    show: ({ created_at }) => <When at={created_at} />,
                  },
                ]}
              />
            )}
            <NextPages
              name={texts.menu.webhooks}
              pageId={page_id ?? null}
              nextPageId={next_page_id}
              onPage={(pageId) => change({ page_id: pageId })}
            />
          </>
        )}
      </Shown>
      {isMaking && (
        <WebhookForm
          title={texts.webhooks.make}
          label={texts.webhooks.makeLabel}
          save={make}
          onClose={() => setMaking(false)}
        />
      )}
      {secret !== null && !isMaking && <SecretDialog secret={secret} onClose={() => setSecret(null)} />}
    </Page>
  );
}

/** The secret that was just made, shown this once. */
export function SecretDialog(props: { secret: string; onClose: () => void }): JSX.Element {
  return (
    <Modal title={texts.webhooks.secretTitle} onClose={props.onClose}>
      <p>{texts.webhooks.secretText}</p>
      <Secret name={texts.webhooks.secret} value={props.secret} />
    </Modal>
  );
}

const FEW = 3;

function kindsInShort(kinds: readonly string[]): string {
  const shown = kindTexts(kinds.slice(0, FEW)).join(', ');
  return kinds.length <= FEW
    ? shown
    : say(texts.webhooks.andMore, { kinds: shown, count: kinds.length - FEW });
}
