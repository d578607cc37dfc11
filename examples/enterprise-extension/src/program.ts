import { runService } from 'org-conversation-service';
import acme from './extension';

/** The service with the extension, as a program of its own: where more is to be done before the start. */
void runService({ extensions: [acme] });
