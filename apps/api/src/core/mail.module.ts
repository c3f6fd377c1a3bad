import { Module } from '@nestjs/common';
import { CONFIG, LOG } from '@chirality/platform';
import { createMailer, MAILER } from './mailer';

@Module({
  providers: [{ provide: MAILER, inject: [CONFIG, LOG], useFactory: createMailer }],
  exports: [MAILER],
})
export class MailModule {}
