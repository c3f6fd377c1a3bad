import { Injectable } from '@nestjs/common';
import type { Device, Page } from '@chirality/contracts';
import { RefreshFamilyRepository } from '@chirality/database';
import { AccessChanges } from '../access/access-changes';
import type { Principal } from '../access/principal';
import { AuditTrail } from '../audit/audit-trail';
import { wholePage } from '../core/http/json-page';
import { knownId } from '../core/http/known-id';
import { problems } from '../core/problem/problems';

/** Where a person is signed in, and how they end it from elsewhere. */
@Injectable()
export class DevicesService {
  constructor(
    private readonly families: RefreshFamilyRepository,
    private readonly changes: AccessChanges,
    private readonly audit: AuditTrail,
  ) {}

  async list(who: Principal): Promise<Page<Device>> {
    const devices = await this.families.listOf(who.user.id);
    return wholePage(
      devices.map(({ createdAt, lastUsedAt, ...device }) => ({
        ...device,
        createdAt: createdAt.toISOString(),
        lastUsedAt: lastUsedAt.toISOString(),
        current: device.id === who.familyId,
      })),
    );
  }

  async signOut(who: Principal, deviceId: string): Promise<void> {
    if (!(await this.families.revokeOf(who.user.id, knownId('token', deviceId)))) throw problems.notFound('device');
    await this.ended(who, deviceId);
  }

  /** Everywhere but here. */
  async signOutOthers(who: Principal): Promise<void> {
    for (const id of await this.families.revokeOthers(who.user.id, who.familyId)) await this.ended(who, id);
  }

  private async ended(who: Principal, familyId: string): Promise<void> {
    this.changes.tell({ familyId });
    await this.audit.recordForPerson(who.user.id, { action: 'user:sign-out', object: familyId });
  }
}
