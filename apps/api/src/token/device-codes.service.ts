import { createHmac, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import {
  TOKEN_CLAIMS_VERSION,
  type AnswerDeviceRequest,
  type CreatedToken,
  type DeviceCode,
  type DeviceRequest,
  type requestDeviceCodeSchema,
} from '@chirality/contracts';
import { ApiTokenRepository, DEVICE_CODE_SECONDS, DeviceCodeRepository } from '@chirality/database';
import {
  newId,
  TOKEN_RANDOM_BYTES,
  tokenValueOf,
  typedUserCode,
  USER_CODE_RANDOM_BYTES,
  userCodeOf,
} from '@chirality/domain';
import { CONFIG, deriveKey, ProblemError, type Config } from '@chirality/platform';
import type { z } from 'zod';
import { tokenHash } from '../access/api-tokens';
import { roleIn, type Principal } from '../access/principal';
import { teamPolicy } from '../access/team.policy';
import { AuditTrail } from '../audit/audit-trail';
import { AttemptGuard } from '../auth/attempt-guard';
import type { Client } from '../auth/client';
import { peerKey } from '../core/address/peer-of';
import { problems } from '../core/problem/problems';
import { requireFewTokens } from './few-tokens';

const DEVICE_CODE_BYTES = 32;
const INTERVAL_SECONDS = 5;
const TRIES = 3;

/** Signing in a program by a person in a browser (RFC 8628). What comes of it is a token of that person. */
@Injectable()
export class DeviceCodesService {
  private readonly userCodeKey: Buffer;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly codes: DeviceCodeRepository,
    private readonly tokens: ApiTokenRepository,
    private readonly attempts: AttemptGuard,
    private readonly audit: AuditTrail,
  ) {
    this.userCodeKey = deriveKey(config.secretKey, 'device-user-code');
  }

  /** Both codes are in this one answer only. */
  async start(wanted: z.infer<typeof requestDeviceCodeSchema>, client: Client): Promise<DeviceCode> {
    await this.attempts.take({ 'device-start:peer': peerKey(client.address ?? undefined) });
    const { clientName, commands = null, lifetimeDays } = wanted;
    const deviceCode = randomBytes(DEVICE_CODE_BYTES).toString('base64url');
    for (let tries = 0; tries < TRIES; tries += 1) {
      const userCode = userCodeOf(randomBytes(USER_CODE_RANDOM_BYTES));
      const isCreated = await this.codes.create({
        id: newId('deviceCode'),
        secretHash: tokenHash(deviceCode),
        userCodeHash: this.hashOf(userCode),
        clientName,
        address: client.address,
        userAgent: client.userAgent,
        commands,
        lifetimeDays,
      });
      if (!isCreated) continue;
      return {
        deviceCode,
        userCode,
        verificationUri: `${this.config.publicUrl}/device`,
        interval: INTERVAL_SECONDS,
        expiresIn: DEVICE_CODE_SECONDS,
      };
    }
    throw new ProblemError('CONFLICT', 'No code could be made just now. Try again.');
  }

  /** The token, once, after a person allowed it. Throws DEVICE_CODE_PENDING, DEVICE_CODE_EXPIRED and FORBIDDEN. */
  async redeem(deviceCode: string, client: Client): Promise<CreatedToken> {
    const giveBack = await this.attempts.take({ 'device-redeem:peer': peerKey(client.address ?? undefined) });
    const secretHash = tokenHash(deviceCode);
    const polled = await this.codes.poll(secretHash);
    if (polled.outcome === 'gone') throw problems.deviceCodeExpired();
    await giveBack();
    if (polled.outcome === 'pending') throw problems.deviceCodePending(polled.intervalSeconds, polled.isTooSoon);
    if (polled.outcome === 'denied')
      throw new ProblemError(
        'FORBIDDEN',
        'The sign-in was denied in the browser. Start it again if that was a mistake.',
      );
    const request = await this.codes.findBySecret(secretHash);
    const secret = tokenValueOf(randomBytes(TOKEN_RANDOM_BYTES));
    const made =
      request &&
      (await this.codes.redeem(secretHash, {
        id: newId('token'),
        secretHash: tokenHash(secret),
        claims: {
          ver: TOKEN_CLAIMS_VERSION,
          criticalClaims: [],
          ...(request.commands && { commands: request.commands }),
        },
      }));
    const found = made && (await this.tokens.findById(made.tokenId));
    if (!found) throw problems.deviceCodeExpired();
    const { name, identityClass, claims, expiresAt } = found.token;
    await this.audit.record({
      teamId: made.teamId,
      userId: made.userId,
      userName: made.userName,
      action: 'token:create',
      object: made.tokenId,
      detail: { name, identityClass, claims, expiresAt, device: { address: made.address } },
    });
    return { token: found.token, secret };
  }

  /** Who asks, for the person who types the code. Throws DEVICE_CODE_EXPIRED. */
  async find(who: Principal, typed: string): Promise<DeviceRequest> {
    const giveBack = await this.attempts.take({ 'device-code:account': who.user.id });
    const found = await this.ofTyped(typed, (hash) => this.codes.findOpen(hash));
    await giveBack();
    return found;
  }

  /** Throws DEVICE_CODE_EXPIRED, also where it was answered meanwhile. */
  async answer(who: Principal, { userCode, ...answer }: AnswerDeviceRequest): Promise<void> {
    const giveBack = await this.attempts.take({ 'device-code:account': who.user.id });
    const teamId = answer.decision === 'allow' ? answer.teamId : null;
    if (teamId !== null) await this.requireTeam(who, teamId);
    const decided = await this.ofTyped(userCode, (hash) => this.codes.decide(hash, who.user.id, teamId));
    await giveBack();
    const { id, clientName, address, userAgent, commands, lifetimeDays } = decided;
    const detail = { client: clientName, address, userAgent };
    if (teamId === null)
      await this.audit.recordForPerson(who.user.id, { action: 'token:device-deny', object: id, detail });
    else
      await this.audit.note(who, teamId, {
        action: 'token:device-allow',
        object: id,
        detail: { ...detail, commands, lifetimeDays },
      });
  }

  private async requireTeam(who: Principal, teamId: string): Promise<void> {
    if (roleIn(who, teamId) === null) throw problems.notFound('team');
    if (!teamPolicy.contribute(who, { id: teamId })) throw problems.forbidden('sign in programs', teamId);
    await requireFewTokens(this.tokens, who.user.id);
  }

  private async ofTyped<T>(typed: string, find: (hash: string) => Promise<T | null>): Promise<T> {
    const code = typedUserCode(typed);
    const found = code === null ? null : await find(this.hashOf(code));
    if (found === null) throw problems.deviceCodeExpired();
    return found;
  }

  private hashOf(userCode: string): string {
    return createHmac('sha256', this.userCodeKey).update(userCode).digest('hex');
  }
}
