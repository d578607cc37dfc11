import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { api, bodyOf, type Schemas } from '../../api/client';
import { useOrganization } from '../../app/organization';
import { announce } from '../../parts/announce';
import { Field } from '../../parts/field';
import { useLoad } from '../../parts/load';
import { Confirm } from '../../parts/modal';
import { Section } from '../../parts/page';
import { Facts, When } from '../../parts/show';
import { Empty, Shown } from '../../parts/states';
import { type Column, DataTable, RowAction, RowActions } from '../../parts/table';
import { say, texts } from '../../text';

type Domain = Schemas['DomainResponse'];

const ALL = '/api/organizations/{org_id}/domains';
const ONE = '/api/organizations/{org_id}/domains/{domain}';

type Asked =
  | { readonly what: 'new' }
  | { readonly what: 'verification' | 'removal'; readonly domain: Domain };

/** The domains whose addresses the organization's providers may let in. */
export function Domains(): JSX.Element {
  const { id: org_id } = useOrganization();
  const [asked, setAsked] = useState<Asked>();
  const list = useLoad((signal) => bodyOf(api.GET(ALL, { params: { path: { org_id } }, signal })), [org_id]);
  const close = (): void => setAsked(undefined);
  const done = (sentence: string, domain: string): void => {
    announce(say(sentence, { domain }));
    list.reload();
  };
  return (
    <Section
      title={texts.identity.domains}
      actions={
        <button type="button" class="secondary" onClick={() => setAsked({ what: 'new' })}>
          {texts.identity.addDomain}
        </button>
      }
    >
      <p>{texts.identity.domainsAbout}</p>
      <Shown of={list}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty />
          ) : (
            <DataTable
              caption={texts.identity.domains}
              rows={items}
              idOf={({ domain }) => domain}
              columns={columns(setAsked)}
            />
          )
        }
      </Shown>
      {asked?.what === 'new' && (
        <Confirm
          title={texts.identity.addDomain}
          label={texts.identity.addDomain}
          action={async (value) => {
            const body = { domain: value('domain') };
            const { domain } = await bodyOf(api.POST(ALL, { params: { path: { org_id } }, body }));
            done(texts.identity.domainAdded, domain);
          }}
          onClose={close}
        >
          {(error: Error | undefined) => (
            <Field label={texts.identity.domain} error={error} field="body.domain">
              <input
                name="domain"
                required
                autofocus
                maxLength={253}
                autocomplete="off"
                placeholder="example.com"
              />
            </Field>
          )}
        </Confirm>
      )}
      {asked?.what === 'verification' && (
        <Confirm
          title={say(texts.identity.verifyTitle, { domain: asked.domain.domain })}
          label={texts.identity.verify}
          action={async () => {
            const params = { path: { org_id, domain: asked.domain.domain } };
            await bodyOf(api.POST(`${ONE}/verify`, { params }));
            done(texts.identity.domainVerified, asked.domain.domain);
          }}
          onClose={close}
        >
          <p>{texts.identity.verifyText}</p>
          <Facts
            of={{
              [texts.identity.recordName]: <code>{asked.domain.record_name}</code>,
              [texts.identity.recordValue]: <code>{asked.domain.record_value}</code>,
            }}
          />
        </Confirm>
      )}
      {asked?.what === 'removal' && (
        <Confirm
          title={say(texts.identity.removeDomain, { domain: asked.domain.domain })}
          label={texts.identity.removeDomainButton}
          action={async () => {
            const params = { path: { org_id, domain: asked.domain.domain } };
            await bodyOf(api.DELETE(ONE, { params }));
            done(texts.identity.domainRemoved, asked.domain.domain);
          }}
          onClose={close}
        >
          <p>{texts.identity.removeDomainText}</p>
        </Confirm>
      )}
    </Section>
  );
}

function columns(ask: (asked: Asked) => void): readonly Column<Domain>[] {
  return [
    { key: 'domain', name: texts.identity.domain, isHeader: true, show: ({ domain }) => domain },
    {
      key: 'verified',
      name: texts.identity.verified,
      show: ({ verified_at }) =>
        verified_at === null ? texts.identity.notVerified : <When at={verified_at} />,
    },
    {
      key: 'actions',
      name: texts.table.actions,
      show: (domain) => (
        <RowActions>
          {domain.verified_at === null && (
            <RowAction
              label={texts.identity.verify}
              of={domain.domain}
              onClick={() => ask({ what: 'verification', domain })}
            />
          )}
          <RowAction
            label={texts.identity.remove}
            of={domain.domain}
            onClick={() => ask({ what: 'removal', domain })}
          />
        </RowActions>
      ),
    },
  ];
}
