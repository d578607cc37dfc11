import { Module } from '@nestjs/common';
import { KeyUsage } from './key-usage';
import { KeyVerifier } from './key-verifier';

@Module({ providers: [KeyUsage, KeyVerifier], exports: [KeyVerifier] })
export class ApiKeysModule {}
