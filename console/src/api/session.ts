/** Why a person has to sign in before a call can go on: the session has ended, or is too old for this change. */
export type SignInReason = 'ended' | 'again';

let ask: (reason: SignInReason) => Promise<boolean> = () => Promise.resolve(false);

/** Sets who asks the person; they resolve to whether the person has signed in. */
export function onSignInNeeded(handler: typeof ask): void {
  ask = handler;
}

let isSame: () => Promise<boolean> = () => Promise.resolve(true);

/** Sets how it is found out whether the person who has signed in is the one whom the page was loaded for. */
export function onSignedIn(question: typeof isSame): void {
  isSame = question;
}

/** Calls at once ask once. */
let asked: Promise<boolean> | null = null;

/**
 * Whether a call is to be made again, since the person has signed in anew. What one person began is never done as another: for
 * somebody else the page is loaded from the beginning.
 */
export async function askAgain(response: Response): Promise<boolean> {
  const reason = await reasonOf(response);
  if (reason === null) return false;
  asked ??= askForSamePerson(reason).finally(() => (asked = null));
  return asked;
}

async function askForSamePerson(reason: SignInReason): Promise<boolean> {
  const hasSignedIn = await ask(reason);
  if (!hasSignedIn || (await isSame())) return hasSignedIn;
  location.reload();
  return false;
}

async function reasonOf(response: Response): Promise<SignInReason | null> {
  if (response.status === 401) return 'ended';
  if (response.status !== 403) return null;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  const isTooOld =
    typeof body === 'object' && body !== null && 'code' in body && body.code === 'sign_in_again';
  return isTooOld ? 'again' : null;
}
