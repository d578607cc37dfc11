import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { api, bodyOf } from '../../api/client';
import { useOrganization } from '../../app/organization';
import { announce } from '../../parts/announce';
import { Field } from '../../parts/field';
import { useLoad } from '../../parts/load';
import { Confirm } from '../../parts/modal';
import { Section } from '../../parts/page';
import { Facts } from '../../parts/show';
import { Empty, Shown } from '../../parts/states';
import { say, texts } from '../../text';
import { type Account, memberName } from './account';

const IDENTITY = '/api/organizations/{org_id}/service-accounts/{account_id}/identity';
/** As long as the service takes. */
const MAX_SUBJECT = 255;

/** The subject of a provider whose tokens act for a service account, and how it is bound and unbound. */
export function AccountIdentity(props: { account: Account; onChanged: () => void }): JSX.Element {
  const { account, onChanged } = props;
  const { identity, name } = account;
  const organization = useOrganization();
  const [asked, setAsked] = useState<'binding' | 'unbinding'>();
  const params = { path: { org_id: organization.id, account_id: account.id } };
  const providers = useLoad(
    async (signal) => {
      if (!organization.can('manage_identity_providers')) return [];
      const of = { path: { org_id: organization.id } };
      const call = api.GET('/api/organizations/{org_id}/identity-providers', { params: of, signal });
      return (await bodyOf(call)).items;
    },
    [organization.id],
  );
  const close = (): void => setAsked(undefined);
  const done = (sentence: string): void => {
    announce(say(sentence, { name }));
    onChanged();
  };
  return (
    <Section title={texts.serviceAccounts.identity} keepsFocus>
      <p>{texts.serviceAccounts.identityAbout}</p>
      <Shown of={providers}>
        {(known) => (
          <>
            {identity === null ? (
              <Empty>{texts.serviceAccounts.notBound}</Empty>
            ) : (
              <Facts
                of={{
                  [texts.serviceAccounts.provider]:
                    known.find(({ id }) => id === identity.provider_id)?.name ?? identity.provider_id,
                  [texts.serviceAccounts.subject]: identity.subject,
                  [texts.serviceAccounts.boundBy]: memberName(
                    organization,
                    account,
                    identity.bound_by_user_id,
                  ),
                }}
              />
            )}
            <div class="buttons start">
              {known.length > 0 && (
                <button type="button" class="secondary outline" onClick={() => setAsked('binding')}>
                  {texts.serviceAccounts.bind}
                </button>
              )}
              {identity !== null && (
                <button type="button" class="secondary outline" onClick={() => setAsked('unbinding')}>
                  {texts.serviceAccounts.unbind}
                </button>
              )}
            </div>
            {asked === 'binding' && (
              <Confirm
                title={say(texts.serviceAccounts.bindTitle, { name })}
                label={texts.serviceAccounts.bind}
                action={async (value) => {
                  const body = { provider_id: value('provider'), subject: value('subject') };
                  await bodyOf(api.PUT(IDENTITY, { params, body }));
                  done(texts.serviceAccounts.bound);
                }}
                onClose={close}
              >
                {(error: Error | undefined) => (
                  <>
                    <p>{texts.serviceAccounts.bindText}</p>
                    <Field label={texts.serviceAccounts.provider} error={error} field="body.provider_id">
                      <select name="provider" autofocus defaultValue={identity?.provider_id}>
                        {known.map((provider) => (
                          <option key={provider.id} value={provider.id} dir="auto">
                            {provider.name}
                          </option>
                        ))}
                      </select>
                    </Field>
                    <Field
                      label={texts.serviceAccounts.subject}
                      hint={texts.serviceAccounts.subjectHint}
                      error={error}
                      field="body.subject"
                    >
                      <input
                        name="subject"
                        required
                        maxLength={MAX_SUBJECT}
                        autocomplete="off"
                        dir="auto"
                        defaultValue={identity?.subject}
                      />
                    </Field>
                  </>
                )}
              </Confirm>
            )}
            {asked === 'unbinding' && (
              <Confirm
                title={say(texts.serviceAccounts.unbindTitle, { name })}
                label={texts.serviceAccounts.unbindButton}
                action={async () => {
                  await bodyOf(api.DELETE(IDENTITY, { params }));
                  done(texts.serviceAccounts.unbound);
                }}
                onClose={close}
              >
                <p>{texts.serviceAccounts.unbindText}</p>
              </Confirm>
            )}
          </>
        )}
      </Shown>
    </Section>
  );
}
