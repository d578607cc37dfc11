import type { JSX } from 'preact';
import type { Schemas } from '../../api/client';
import { Field } from '../../parts/field';
import { Confirm } from '../../parts/modal';
import { texts } from '../../text';
import type { Credential } from './operations';

type Provider = NonNullable<Credential['git_provider']>;

/** What a form says of a credential; without a password, the one that is there stays. */
export type Given = Pick<Schemas['GitCredentialCreate'], 'url_prefix' | 'username' | 'git_provider'> &
  Pick<Schemas['GitCredentialUpdate'], 'password'>;

const PROVIDERS: readonly Provider[] = ['github', 'gitlab', 'bitbucket', 'forgejo', 'azure_devops'];

/** A form for a new credential, or for changing one. */
export function CredentialForm(props: {
  title: string;
  label: string;
  kept?: Credential;
  save: (given: Given) => Promise<void>;
  onClose: () => void;
}): JSX.Element {
  const { kept } = props;
  return (
    <Confirm
      title={props.title}
      label={props.label}
      action={(value) => {
        const password = value('password');
        const chosen = PROVIDERS.find((name) => name === value('git_provider')) ?? null;
        return props.save({
          url_prefix: value('url_prefix'),
          username: value('username'),
          ...(password !== '' && { password }),
          // What is answered may be what the name of the host says: only another choice is one.
          ...(chosen !== (kept?.git_provider ?? null) && { git_provider: chosen }),
        });
      }}
      onClose={props.onClose}
    >
      {(error: Error | undefined) => (
        <>
          <Field label={texts.git.address} hint={texts.git.addressHint} error={error} field="body.url_prefix">
            <input
              name="url_prefix"
              type="url"
              required
              autofocus
              maxLength={2048}
              autocomplete="off"
              defaultValue={kept?.url_prefix}
            />
          </Field>
          <Field label={texts.git.username} hint={texts.git.usernameHint} error={error} field="body.username">
            <input
              name="username"
              maxLength={255}
              autocomplete="off"
              dir="auto"
              defaultValue={kept?.username ?? 'x-access-token'}
            />
          </Field>
          <Field
            label={texts.git.password}
            hint={kept === undefined ? texts.git.passwordHint : texts.git.passwordKept}
            error={error}
            field="body.password"
          >
            <input
              name="password"
              type="password"
              required={kept === undefined}
              maxLength={4096}
              autocomplete="new-password"
            />
          </Field>
          <Field label={texts.git.provider} error={error} field="body.git_provider">
            <select name="git_provider">
              <option value="">{texts.git.providerByHost}</option>
              {PROVIDERS.map((name) => (
                <option key={name} value={name} selected={name === kept?.git_provider}>
                  {texts.git.providers[name]}
                </option>
              ))}
            </select>
          </Field>
        </>
      )}
    </Confirm>
  );
}
