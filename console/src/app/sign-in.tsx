import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { BASE, CONSOLE } from '../api/client';
import { onSignInNeeded, type SignInReason } from '../api/session';
import { Modal } from '../parts/modal';
import { texts } from '../text';

/** The part of the address of the page that a sign-in in another tab ends at. */
export const SIGNED_IN = 'signed-in';

/** Where the tab of a sign-in says that it is done. */
const channel = new BroadcastChannel('console-signed-in');

interface Question {
  readonly reason: SignInReason;
  readonly answer: (hasSignedIn: boolean) => void;
}

/** Asks the person to sign in, in another tab, so that this one keeps what was typed. */
export function SignInDialog(): JSX.Element | null {
  const [question, setQuestion] = useState<Question | null>(null);
  useEffect(() => {
    onSignInNeeded((reason) => new Promise((answer) => setQuestion({ reason, answer })));
  }, []);
  useEffect(() => {
    const goOn = (): void => end(question, true);
    channel.addEventListener('message', goOn);
    return () => channel.removeEventListener('message', goOn);
  }, [question]);
  const end = (of: Question | null, hasSignedIn: boolean): void => {
    of?.answer(hasSignedIn);
    setQuestion(null);
  };
  if (question === null) return null;
  const { reason } = question;
  const back = encodeURIComponent(`${CONSOLE}/${SIGNED_IN}`);
  const address = `${BASE}/login?${reason === 'again' ? 'again=yes&' : ''}returnTo=${back}`;
  return (
    <Modal
      title={reason === 'ended' ? texts.signIn.ended : texts.signIn.again}
      onClose={() => end(question, false)}
    >
      <p>{reason === 'ended' ? texts.signIn.endedText : texts.signIn.againText}</p>
      <footer class="buttons">
        <button type="button" class="secondary outline" onClick={() => end(question, true)}>
          {texts.signIn.goOn}
        </button>
        <button type="button" onClick={() => window.open(address, '_blank')}>
          {texts.signIn.button}
        </button>
      </footer>
    </Modal>
  );
}

/** The page after a sign-in in another tab: tells the others, and closes. */
export function SignedIn(): JSX.Element {
  useEffect(() => {
    channel.postMessage('');
    window.close();
  }, []);
  return (
    <main class="container">
      <h1>{texts.signIn.done}</h1>
      <p>{texts.signIn.doneText}</p>
    </main>
  );
}
