import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Schemas } from '../../api/client';
import { useOrganization } from '../../app/organization';
import { Field } from '../../parts/field';
import { type Values, linesOf, wordsOf } from '../../parts/form';
import { Confirm } from '../../parts/modal';
import { texts } from '../../text';
import { EVERYTHING, isOfAuditLog, KINDS, kindsOf } from './kinds';

type Webhook = Schemas['WebhookResponse'];

/** Asks for everything that can be set of a webhook. */
export function WebhookForm(props: {
  title: string;
  label: string;
  /** As it is; absent for a new one. */
  webhook?: Webhook;
  save: (webhook: Required<Schemas['WebhookCreate']>) => Promise<unknown>;
  onClose: () => void;
}): JSX.Element {
  const { webhook } = props;
  return (
    <Confirm
      title={props.title}
      label={props.label}
      action={(value, form) => props.save(webhookOf(value, form))}
      onClose={props.onClose}
    >
      {(error) => (
        <>
          <Field label={texts.webhooks.url} hint={texts.webhooks.urlHint} error={error} field="body.url">
            <input name="url" type="url" required maxLength={2048} defaultValue={webhook?.url ?? ''} />
          </Field>
          <Field label={texts.webhooks.description} error={error} field="body.description">
            <input name="description" maxLength={500} defaultValue={webhook?.description ?? ''} dir="auto" />
          </Field>
          <Kinds chosen={webhook?.kinds ?? [EVERYTHING]} error={error} />
          <details open={webhook !== undefined && (webhook.conversation_ids ?? webhook.tags) !== null}>
            <summary>{texts.webhooks.onlySome}</summary>
            <Field
              label={texts.webhooks.conversationIds}
              hint={texts.webhooks.conversationIdsHint}
              error={error}
              field="body.conversation_ids"
            >
              <textarea
                name="conversation_ids"
                rows={3}
                defaultValue={(webhook?.conversation_ids ?? []).join('\n')}
              />
            </Field>
            <Field label={texts.webhooks.tags} hint={texts.webhooks.tagsHint} error={error} field="body.tags">
              <textarea name="tags" rows={3} defaultValue={tagLines(webhook?.tags).join('\n')} dir="auto" />
            </Field>
          </details>
        </>
      )}
    </Confirm>
  );
}

function Kinds({ chosen, error }: { chosen: readonly string[]; error: Error | undefined }): JSX.Element {
  const [isEverything, setEverything] = useState(chosen.includes(EVERYTHING));
  const { can } = useOrganization();
  const isAudited = chosen.some(isOfAuditLog);
  const others = chosen.filter((kind) => kind !== EVERYTHING && !KINDS.includes(kind) && !isOfAuditLog(kind));
  return (
    <fieldset>
      <legend>{texts.webhooks.kinds}</legend>
      <label>
        <input
          type="radio"
          name="what"
          value="everything"
          checked={isEverything}
          onChange={() => setEverything(true)}
        />
        {texts.webhooks.everything}
      </label>
      <label>
        <input
          type="radio"
          name="what"
          value="some"
          checked={!isEverything}
          onChange={() => setEverything(false)}
        />
        {texts.webhooks.someKinds}
      </label>
      <div hidden={isEverything}>
        <div class="choices">
          {KINDS.map((kind) => (
            <label key={kind}>
              <input type="checkbox" name="kind" value={kind} defaultChecked={chosen.includes(kind)} />
              {kind}
            </label>
          ))}
        </div>
        <Field
          label={texts.webhooks.otherKinds}
          hint={texts.webhooks.otherKindsHint}
          error={error}
          field="body.kinds"
        >
          <input name="other_kinds" defaultValue={others.join(' ')} />
        </Field>
      </div>
      {can('view_audit_log') ? (
        <label>
          <input type="checkbox" name="audit" defaultChecked={isAudited} />
          {texts.webhooks.auditLog}
        </label>
      ) : (
        // Who may not read the log changes nothing about that; the service has the last word.
        isAudited && <input type="hidden" name="audit" value="on" />
      )}
    </fieldset>
  );
}

function webhookOf(value: Values, form: FormData): Required<Schemas['WebhookCreate']> {
  const ids = wordsOf(value('conversation_ids'));
  const tags = linesOf(value('tags')).map((line) => {
    const [name = '', ...rest] = line.split('=');
    return [name.trim(), rest.join('=').trim()] as const;
  });
  return {
    url: value('url'),
    description: value('description'),
    kinds: kindsOf(value, form),
    conversation_ids: ids.length === 0 ? null : ids,
    tags: tags.length === 0 ? null : Object.fromEntries(tags),
  };
}

/** Tags, each as a line of the form has it. */
export function tagLines(tags: Webhook['tags'] | undefined): string[] {
  return Object.entries(tags ?? {}).map(([name, value]) => `${name}=${value}`);
}
