import { Module } from '@nestjs/common';
import { OrganizationEnds } from './organization-ends';

/** What removes organizations that are deleted, with all they have. */
@Module({ providers: [OrganizationEnds] })
export class OrganizationEndsModule {}
