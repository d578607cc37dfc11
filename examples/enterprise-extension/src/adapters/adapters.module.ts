import { Module } from '@nestjs/common';
import { MailModule } from 'org-conversation-service';
import { BadgeVerifier } from './badge.verifier';
import { FolderTransport } from './folder.transport';
import { MachinesDriver } from './machines.driver';

/** What takes the place of something of the service: each registers itself when it is made. */
@Module({ imports: [MailModule], providers: [BadgeVerifier, FolderTransport, MachinesDriver] })
export class AdaptersModule {}
