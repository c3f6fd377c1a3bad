import { Inject, Injectable } from '@nestjs/common';
import { RefreshFamilyRepository } from '@chirality/database';
import { CONFIG, deriveKey, type Config } from '@chirality/platform';
import { AuditTrail } from '../audit/audit-trail';
import { peerKey } from '../core/address/peer-of';
import { AttemptGuard, type Attempts } from './attempt-guard';
import type { Client } from './client';
import { deviceOf } from './known-device';

/**
 * How often a password may be guessed. What others send, from wherever, never counts against a browser in which the
 * person has signed in before, and only what comes from the same address against an address that they used before.
 */
@Injectable()
export class LoginAttempts {
  private readonly deviceKey: Buffer;

  constructor(
    @Inject(CONFIG) config: Config,
    private readonly guard: AttemptGuard,
    private readonly families: RefreshFamilyRepository,
    private readonly audit: AuditTrail,
  ) {
    this.deviceKey = deriveKey(config.secretKey, 'known-device');
  }

  /**
   * Counts one attempt; throws RATE_LIMITED when there were too many. The function it answers takes the attempt back.
   */
  async take(account: { email: string; userId: string | null }, client: Client): Promise<() => Promise<void>> {
    const attempts = await this.attemptsOf(account, client);
    return this.guard.take(attempts, async () => {
      if (account.userId !== null)
        await this.audit.recordForPerson(account.userId, {
          action: 'user:sign-in-block',
          object: account.userId,
          detail: { address: client.address, userAgent: client.userAgent },
        });
    });
  }

  private async attemptsOf(
    { email, userId }: { email: string; userId: string | null },
    client: Client,
  ): Promise<Attempts> {
    const device = userId === null ? null : deviceOf(this.deviceKey, userId, client.deviceMark);
    if (device !== null) return { 'login:device': `${email} ${device}` };
    const peer = peerKey(client.address ?? undefined);
    const attempts: Attempts = { 'login:peer': peer, 'login:account-peer': `${email} ${peer}` };
    const isKnown =
      userId !== null && (await this.families.addressesOf(userId)).some((address) => peerKey(address) === peer);
    return isKnown ? attempts : { ...attempts, 'login:account': email };
  }
}
