import type { JSX } from 'preact';
import type { Schemas } from '../../api/client';
import { Field } from '../../parts/field';
import { linesOf, type Values } from '../../parts/form';
import { Confirm } from '../../parts/modal';
import { texts } from '../../text';
import type { GivenRole } from './identity';
import type { Provider } from './providers';

type Given = Schemas['ProviderCreate'];

const SCOPE = 'openid email profile';
const GROUP_CLAIM = 'groups';

/** A form for a new provider, or for changing one, whose issuer stays. */
export function ProviderForm(props: {
  title: string;
  provider?: Provider;
  roles: readonly GivenRole[];
  save: (given: Given) => Promise<void>;
  onClose: () => void;
}): JSX.Element {
  const { provider, roles } = props;
  return (
    <Confirm
      title={props.title}
      label={texts.identity.saveProvider}
      action={(value) => props.save(givenBy(value, roles))}
      onClose={props.onClose}
    >
      {(error: Error | undefined) => (
        <>
          <Field label={texts.identity.name} hint={texts.identity.nameHint} error={error} field="body.name">
            <input name="name" required autofocus maxLength={200} dir="auto" defaultValue={provider?.name} />
          </Field>
          <Field
            label={texts.identity.issuer}
            hint={texts.identity.issuerHint}
            error={error}
            field="body.issuer"
          >
            <input
              name="issuer"
              type="url"
              required
              readOnly={provider !== undefined}
              maxLength={512}
              defaultValue={provider?.issuer}
            />
          </Field>
          <Field label={texts.identity.clientId} error={error} field="body.client_id">
            <input
              name="client_id"
              required
              maxLength={512}
              autocomplete="off"
              defaultValue={provider?.client_id}
            />
          </Field>
          <Field
            label={texts.identity.clientSecret}
            hint={
              provider?.has_client_secret === true ? texts.identity.secretKept : texts.identity.secretHint
            }
            error={error}
            field="body.client_secret"
          >
            <input name="client_secret" type="password" maxLength={2000} autocomplete="new-password" />
          </Field>
          <Field
            label={texts.identity.scope}
            hint={texts.identity.scopeHint}
            error={error}
            field="body.scope"
          >
            <input
              name="scope"
              required
              maxLength={1000}
              autocomplete="off"
              defaultValue={provider?.scope ?? SCOPE}
            />
          </Field>
          <Field label={texts.identity.defaultRole} error={error} field="body.default_role">
            <select name="default_role">
              <option value="">{texts.identity.nobodyNew}</option>
              {roles.map(({ value, name }) => (
                <option key={value} value={value} selected={value === provider?.default_role}>
                  {name}
                </option>
              ))}
            </select>
          </Field>
          <Field
            label={texts.identity.groupClaim}
            hint={texts.identity.groupClaimHint}
            error={error}
            field="body.group_claim"
          >
            <input
              name="group_claim"
              required
              maxLength={200}
              autocomplete="off"
              defaultValue={provider?.group_claim ?? GROUP_CLAIM}
            />
          </Field>
          <Field
            label={texts.identity.groupRoles}
            hint={texts.identity.groupRolesHint}
            error={error}
            field="body.group_roles"
          >
            <textarea
              name="group_roles"
              rows={3}
              dir="auto"
              defaultValue={provider?.group_roles.map((each) => lineOf(each, roles)).join('\n')}
            />
          </Field>
          <Field
            label={texts.identity.audience}
            hint={texts.identity.audienceHint}
            error={error}
            field="body.audience"
          >
            <input
              name="audience"
              maxLength={512}
              autocomplete="off"
              defaultValue={provider?.audience ?? ''}
            />
          </Field>
          <Field
            label={texts.identity.introspection}
            hint={texts.identity.introspectionHint}
            error={error}
            field="body.introspection"
          >
            <select name="introspection">
              <option value="off">{texts.identity.introspectionOff}</option>
              <option value="on" selected={provider?.introspection === true}>
                {texts.identity.introspectionOn}
              </option>
            </select>
          </Field>
        </>
      )}
    </Confirm>
  );
}

function lineOf({ group, role }: Provider['group_roles'][number], roles: readonly GivenRole[]): string {
  return `${group} = ${roles.find(({ value }) => value === role)?.name ?? role}`;
}

/** What the form says; a role by its name, or by what the service calls it. */
function givenBy(value: Values, roles: readonly GivenRole[]): Given {
  const secret = value('client_secret');
  const roleOf = (text: string): string =>
    roles.find(({ name }) => name.toLowerCase() === text.toLowerCase())?.value ?? text;
  return {
    name: value('name'),
    issuer: value('issuer'),
    client_id: value('client_id'),
    ...(secret !== '' && { client_secret: secret }),
    scope: value('scope'),
    group_claim: value('group_claim'),
    audience: value('audience') === '' ? null : value('audience'),
    introspection: value('introspection') === 'on',
    default_role: value('default_role') === '' ? null : value('default_role'),
    group_roles: linesOf(value('group_roles')).map((line) => {
      const at = line.lastIndexOf('=');
      return {
        group: line.slice(0, at === -1 ? undefined : at).trim(),
        role: roleOf(line.slice(at + 1).trim()),
      };
    }),
  };
}
