import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config, Logger } from '@chirality/platform';
import { createTransport } from 'nodemailer';
import { newId } from '@chirality/domain';

export type Mail = { to: string; subject: string; text: string };

export interface Mailer {
  /** Whether what is sent reaches its address; else it waits for the operator. */
  readonly delivers: boolean;
  /** Hands the mail on. Rejects when it was not accepted; the text may hold a secret and is never logged. */
  send(mail: Mail): Promise<void>;
}

/** The token of the process's mailer. */
export const MAILER = Symbol('mailer');

/** Sends by SMTP where a server is configured, else leaves the mail where only the operator can read it. */
export function createMailer(config: Pick<Config, 'smtpUrl' | 'dataDir' | 'publicUrl'>, log: Logger): Mailer {
  return config.smtpUrl
    ? new SmtpMailer(config.smtpUrl, config.publicUrl)
    : new OutboxMailer(join(config.dataDir, 'outbox'), log);
}

class SmtpMailer implements Mailer {
  readonly delivers = true;
  private readonly transport;
  private readonly from: string;

  constructor(smtpUrl: string, publicUrl: string) {
    this.transport = createTransport(smtpUrl);
    this.from = `Chirality <chirality@${new URL(publicUrl).hostname}>`;
  }

  async send(mail: Mail): Promise<void> {
    await this.transport.sendMail({ from: this.from, ...mail });
  }
}

/** One file a mail, readable by the service's own user alone. */
class OutboxMailer implements Mailer {
  readonly delivers = false;

  constructor(
    private readonly directory: string,
    private readonly log: Logger,
  ) {}

  async send({ to, subject, text }: Mail): Promise<void> {
    await mkdir(this.directory, { recursive: true, mode: 0o700 });
    const file = join(this.directory, `${newId('request').replace('req_', 'mail_')}.txt`);
    await writeFile(file, `To: ${to}\nSubject: ${subject}\n\n${text}\n`, { mode: 0o600, flag: 'wx' });
    this.log.warn(
      { file, hint: 'no mail server is configured (SMTP_URL): pass the mail on yourself' },
      'mail.kept_in_outbox',
    );
  }
}
