import type { Session } from '@chirality/contracts';

/** What a session is started with; one that differs in it is another session. `model`: empty for the default. */
export type SessionStart = { projectId: string; model: string; workspace: Session['workspace'] };

type Parts = {
  create(start: SessionStart): Promise<Session>;
  archive(session: Session): void;
};

/**
 * The session that is created for a message whose files are still on their way. Attempts with the same start share
 * it; one that nothing was sent in is archived when it is no longer meant, or its field is left. Where this page ends
 * before that, the server removes it.
 */
export class UnsentSession {
  private begun: { session: Session; start: SessionStart } | null = null;
  private isBusy = false;
  private isLeft = false;

  constructor(private readonly parts: Parts) {}

  async begin(start: SessionStart): Promise<Session> {
    this.isBusy = true;
    if (this.begun !== null && isSame(this.begun.start, start)) return this.begun.session;
    this.abandon();
    const session = await this.parts.create(start);
    this.begun = { session, start };
    return session;
  }

  /** Its message is on its way: it stays. */
  sent(): void {
    this.isBusy = false;
    this.begun = null;
  }

  /** `mayRetry`: another attempt in the same session may succeed. */
  failed(mayRetry: boolean): void {
    this.isBusy = false;
    if (!mayRetry || this.isLeft) this.abandon();
  }

  entered(): void {
    this.isLeft = false;
  }

  /** The field is gone; an attempt that runs still ends. */
  left(): void {
    this.isLeft = true;
    if (!this.isBusy) this.abandon();
  }

  private abandon(): void {
    if (this.begun !== null) this.parts.archive(this.begun.session);
    this.begun = null;
  }
}

function isSame(one: SessionStart, other: SessionStart): boolean {
  return one.projectId === other.projectId && one.model === other.model && one.workspace === other.workspace;
}
