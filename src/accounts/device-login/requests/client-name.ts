import { InvalidRequestError } from '../device-login.errors';
import { MAX_CLIENT_NAME } from '../record/device-login.entity';

/** What would make a name look like another one, or like more than a name. */
const UNSHOWN = /[\p{C}\p{Zl}\p{Zp}]+/gu;

/** The name of a client as people are shown it; null for none. @throws InvalidRequestError for one that is too long */
export function clientNameIn(text: string | null): string | null {
  const name = plainText(text ?? '');
  if (Array.from(name).length > MAX_CLIENT_NAME)
    throw new InvalidRequestError(`client_id has at most ${MAX_CLIENT_NAME} characters.`);
  return name === '' ? null : name;
}

/** A text that reads as it is written: on one line, in one direction. */
export function plainText(text: string): string {
  return text.replaceAll(UNSHOWN, ' ').trim();
}
