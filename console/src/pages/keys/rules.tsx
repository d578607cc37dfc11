import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError } from '../../api/api-error';
import { api, bodyOf, type Schemas } from '../../api/client';
import { useOrganization } from '../../app/organization';
import { announce } from '../../parts/announce';
import { Field } from '../../parts/field';
import type { Values } from '../../parts/form';
import { useLoad } from '../../parts/load';
import { Confirm } from '../../parts/modal';
import { Section } from '../../parts/page';
import { Facts } from '../../parts/show';
import { Shown } from '../../parts/states';
import { count, texts } from '../../text';

type KeyRules = Schemas['CredentialRulesResponse'];

const MAKERS = ['member', 'admin', 'owner'] as const;

/** What the organization asks of keys, and, for who may, how to change it. */
export function Rules(): JSX.Element {
  const { id: org_id, can } = useOrganization();
  const [isChanging, setChanging] = useState(false);
  const rules = useLoad(
    (signal) =>
      bodyOf(
        api.GET('/api/organizations/{org_id}/credential-rules', { params: { path: { org_id } }, signal }),
      ),
    [org_id],
  );
  return (
    <Section
      title={texts.keys.rules}
      actions={
        can('edit_org_settings') &&
        rules.data !== undefined && (
          <button type="button" class="secondary outline" onClick={() => setChanging(true)}>
            {texts.keys.changeRules}
          </button>
        )
      }
    >
      <p>{texts.keys.rulesAbout}</p>
      <Shown of={rules}>
        {(data) => (
          <>
            <Facts of={factsOf(data)} />
            {isChanging && (
              <RulesForm rules={data} onChanged={rules.reload} onClose={() => setChanging(false)} />
            )}
          </>
        )}
      </Shown>
    </Section>
  );
}

function factsOf(rules: KeyRules): Readonly<Record<string, string>> {
  const { longest_key_days: days } = rules;
  const yesOrNo = (is: boolean): string => (is ? texts.keys.yes : texts.keys.no);
  return {
    [texts.keys.longest]: days === null ? texts.keys.anyTime : count(days, texts.keys.days),
    [texts.keys.expiryRequired]: yesOrNo(rules.expiry_required),
    [texts.keys.scopesRequired]: yesOrNo(rules.scopes_required),
    [texts.keys.makers]: texts.keys.makersFrom[rules.key_makers],
    [texts.keys.besideProvider]: yesOrNo(rules.keys_beside_provider),
  };
}

function RulesForm(props: { rules: KeyRules; onChanged: () => void; onClose: () => void }): JSX.Element {
  const { rules } = props;
  const { id: org_id, can } = useOrganization();
  const save = async (value: Values): Promise<void> => {
    const days = value('longest');
    const body = {
      longest_key_days: days === '' ? null : Number(days),
      expiry_required: value('expiry') !== '',
      scopes_required: value('scopes') !== '',
      key_makers: MAKERS.find((role) => role === value('makers')) ?? rules.key_makers,
      keys_beside_provider: can('manage_identity_providers')
        ? value('beside') !== ''
        : rules.keys_beside_provider,
      force: value('force') !== '',
    };
    const params = { path: { org_id } };
    await bodyOf(api.PUT('/api/organizations/{org_id}/credential-rules', { params, body }));
    announce(texts.keys.rulesChanged);
    props.onChanged();
  };
  return (
    <Confirm
      title={texts.keys.changeRules}
      label={texts.keys.saveRules}
      action={save}
      onClose={props.onClose}
    >
      {(error: Error | undefined) => (
        <>
          <p>{texts.keys.rulesText}</p>
          <Field
            label={texts.keys.longest}
            hint={texts.keys.longestHint}
            error={error}
            field="body.longest_key_days"
          >
            <input
              name="longest"
              type="number"
              inputMode="numeric"
              autofocus
              min={1}
              max={3660}
              defaultValue={rules.longest_key_days ?? ''}
            />
          </Field>
          <Switch name="expiry" label={texts.keys.expiryRequired} isOn={rules.expiry_required} />
          <Switch name="scopes" label={texts.keys.scopesRequired} isOn={rules.scopes_required} />
          <Field label={texts.keys.makers} error={error} field="body.key_makers">
            <select name="makers">
              {MAKERS.map((role) => (
                <option key={role} value={role} selected={role === rules.key_makers}>
                  {texts.keys.makersFrom[role]}
                </option>
              ))}
            </select>
          </Field>
          {can('manage_identity_providers') && (
            <Switch name="beside" label={texts.keys.besideProvider} isOn={rules.keys_beside_provider} />
          )}
          {error instanceof ApiError && error.code === 'rules_refuse_own_key' && (
            <Switch name="force" label={texts.keys.force} isOn={false} />
          )}
        </>
      )}
    </Confirm>
  );
}

function Switch({ name, label, isOn }: { name: string; label: string; isOn: boolean }): JSX.Element {
  return (
    <label>
      <input type="checkbox" role="switch" name={name} defaultChecked={isOn} />
      {label}
    </label>
  );
}
