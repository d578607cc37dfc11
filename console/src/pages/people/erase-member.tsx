import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError } from '../../api/api-error';
import { api, bodyOf } from '../../api/client';
import { useOrganization } from '../../app/organization';
import { announce } from '../../parts/announce';
import { type Erasure, ErasureCounts, ErasureProgress } from '../../parts/erasure';
import { Field } from '../../parts/field';
import { useLoad } from '../../parts/load';
import { type Member, nameOf } from '../../parts/members';
import { DialogForm, Modal } from '../../parts/modal';
import { TextList } from '../../parts/show';
import { Shown } from '../../parts/states';
import { say, texts } from '../../text';

const words = texts.erasure;
const PATH = '/api/organizations/{org_id}/erasures/{user_id}';

/** Erases a member: first it is said what goes, and what is in the way; then how it goes on. */
export function EraseMember(props: {
  member: Member;
  onErased: () => void;
  onClose: () => void;
}): JSX.Element {
  const { member, onErased, onClose } = props;
  const path = { org_id: useOrganization().id, user_id: member.user_id };
  const name = nameOf(member);
  const [begun, setBegun] = useState<Erasure>();
  const load = (signal: AbortSignal): Promise<Erasure> => bodyOf(api.GET(PATH, { params: { path }, signal }));
  const found = useLoad(
    async (signal) => {
      const last = await load(signal);
      if (last.state === 'waiting' || last.state === 'working') return last;
      return bodyOf(api.POST(PATH, { params: { path, query: { dry_run: true } }, signal }));
    },
    [path.org_id, path.user_id],
  );
  const erase = async ({ obstacle }: Erasure): Promise<void> => {
    const when = obstacle === 'legal_hold' ? 'lifted' : 'now';
    setBegun(await bodyOf(api.POST(PATH, { params: { path, query: { when } } })));
    announce(say(words.announced, { name }));
    onErased();
  };
  return (
    <Modal title={say(words.title, { name })} onClose={onClose}>
      {begun !== undefined ? (
        <ErasureProgress first={begun} load={load} />
      ) : (
        <Shown of={found}>
          {(erasure) =>
            erasure.state === 'preview' ? (
              <Ask {...{ erasure, member, erase, onClose }} />
            ) : (
              <ErasureProgress first={erasure} load={load} />
            )
          }
        </Shown>
      )}
    </Modal>
  );
}

/** Says what goes, and asks whether it is meant. */
function Ask(props: {
  erasure: Erasure;
  member: Member;
  erase: (erasure: Erasure) => Promise<void>;
  onClose: () => void;
}): JSX.Element {
  const { erasure, member, erase, onClose } = props;
  const confirmation = member.email ?? member.user_id;
  const { obstacle } = erasure;
  const about = (
    <>
      <TextList of={words.about} />
      <p>{erasure.of_account ? words.ofAccount : words.notOfAccount}</p>
      <ErasureCounts of={erasure} />
      {obstacle !== null && (
        <p>
          <strong>{words.obstacles[obstacle]}</strong>
        </p>
      )}
    </>
  );
  if (obstacle === 'last_owner') return about;
  return (
    <DialogForm
      label={obstacle === 'legal_hold' ? words.whenLifted : words.button}
      action={(value) => {
        const typed = value('confirmation').toLowerCase();
        if (typed !== confirmation.toLowerCase())
          return Promise.reject(ApiError.ofField('confirmation', words.mismatch));
        return erase(erasure);
      }}
      onCancel={onClose}
    >
      {(error: Error | undefined) => (
        <>
          {about}
          <Field label={say(words.confirm, { what: confirmation })} error={error} field="confirmation">
            <input name="confirmation" required autocomplete="off" spellcheck={false} />
          </Field>
        </>
      )}
    </DialogForm>
  );
}
