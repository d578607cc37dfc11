import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError } from '../../api/api-error';
import { api, bodyOf, CONSOLE } from '../../api/client';
import { useOrganization } from '../../app/organization';
import { Field } from '../../parts/field';
import { Confirm } from '../../parts/modal';
import { Section } from '../../parts/page';
import { TextList } from '../../parts/show';
import { say, texts } from '../../text';

const words = texts.settings;

/** Deletes the organization, once its name was entered. */
export function DeleteOrganization(): JSX.Element {
  const { id: org_id, name } = useOrganization();
  const [isAsking, setAsking] = useState(false);
  return (
    <Section title={words.delete}>
      <p>{words.deleteAbout}</p>
      <div class="buttons start">
        <button type="button" class="secondary outline" onClick={() => setAsking(true)}>
          {words.delete}
        </button>
      </div>
      {isAsking && (
        <Confirm
          title={say(words.deleteTitle, { name })}
          label={words.delete}
          action={async (value) => {
            const confirm = value('confirm');
            if (confirm !== name.trim()) throw ApiError.ofField('query.confirm', words.deleteMismatch);
            const params = { path: { org_id }, query: { confirm: name } };
            await bodyOf(api.DELETE('/api/organizations/{org_id}', { params }));
            // The session may have ended with it: the service decides what comes now.
            location.assign(CONSOLE);
          }}
          onClose={() => setAsking(false)}
        >
          {(error: Error | undefined) => (
            <>
              <TextList of={words.deletion} />
              <Field label={say(words.deleteConfirm, { name })} error={error} field="query.confirm">
                <input name="confirm" required dir="auto" autocomplete="off" spellcheck={false} />
              </Field>
            </>
          )}
        </Confirm>
      )}
    </Section>
  );
}
