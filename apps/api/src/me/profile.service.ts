import { Injectable } from '@nestjs/common';
import type { UpdateMe, User } from '@chirality/contracts';
import { UserRepository } from '@chirality/database';
import { ProblemError } from '@chirality/platform';
import type { Principal } from '../access/principal';
import { AuditTrail } from '../audit/audit-trail';
import { AttemptGuard } from '../auth/attempt-guard';
import { verifyPassword } from '../auth/passwords';

const WRONG_PASSWORD = 'The current password is wrong.';
const TAKEN = 'Another account uses this address.';

@Injectable()
export class ProfileService {
  constructor(
    private readonly users: UserRepository,
    private readonly attempts: AttemptGuard,
    private readonly audit: AuditTrail,
  ) {}

  /** The name is free; the address signs in and gets reset links, so the password proves who changes it. */
  async update(who: Principal, { name, email, currentPassword }: UpdateMe): Promise<User> {
    const changes = {
      ...(name === undefined || name === who.user.name ? {} : { name }),
      ...(email === undefined || email === who.user.email ? {} : { email }),
    };
    const changed = Object.keys(changes);
    if (changed.length === 0) return who.user;
    if (changes.email !== undefined) await this.requirePassword(who, currentPassword ?? '');
    if ((await this.users.update(who.user.id, changes)) === 'taken')
      throw new ProblemError('CONFLICT', TAKEN, { errors: [{ path: 'email', message: TAKEN }] });
    await this.audit.recordForPerson(who.user.id, {
      action: 'user:update',
      object: who.user.id,
      detail: {
        changed: changed.map((field) => (field === 'email' ? 'e-mail address' : field)),
        from: { name: who.user.name, email: who.user.email },
      },
    });
    return { ...who.user, ...changes };
  }

  private async requirePassword(who: Principal, password: string): Promise<void> {
    const giveBack = await this.attempts.take({ 'password-change:account': who.user.id });
    const account = await this.users.findById(who.user.id);
    if (!(await verifyPassword(account?.passwordHash ?? null, password)))
      throw new ProblemError('FORBIDDEN', WRONG_PASSWORD, {
        errors: [{ path: 'currentPassword', message: WRONG_PASSWORD }],
      });
    await giveBack();
  }
}
