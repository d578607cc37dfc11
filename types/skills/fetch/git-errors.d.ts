import { RegistrationProblem } from '../registration/registration-problem';
/** Maps git's messages, which may contain anything, to one of our own sentences. */
export declare function registrationProblemOf(messages: string): RegistrationProblem;
