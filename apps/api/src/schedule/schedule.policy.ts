import type { ServiceAccount } from '@chirality/contracts';
import type { StoredSchedule } from '@chirality/database';
import type { Principal, ProjectRef } from '../access/principal';
import { projectPolicy } from '../access/project.policy';
import { serviceAccountPolicy } from '../service-account/service-account.policy';

type ScheduleRef = { owner: Pick<StoredSchedule['owner'], 'userId'> };
type AccountRef = Pick<ServiceAccount, 'teamId' | 'owner'>;

/** `account` is the service account that the schedule runs as, if it is one. */
const change = (who: Principal, project: ProjectRef, { owner }: ScheduleRef, account: AccountRef | null) =>
  projectPolicy.contribute(who, project) &&
  (owner.userId === who.user.id || (account !== null && serviceAccountPolicy.use(who, account)));

export const schedulePolicy = {
  /**
   * Its runs write where its owner may, private sessions included, and spend its owner's key: what they do and when is
   * for the owner, or for those who may use the service account, to say. Managing the project is not enough.
   */
  change,
  /** Who manages the project pauses and deletes what runs in it, too. */
  stop: (who: Principal, project: ProjectRef, schedule: ScheduleRef, account: AccountRef | null) =>
    projectPolicy.manage(who, project) || change(who, project, schedule, account),
};
