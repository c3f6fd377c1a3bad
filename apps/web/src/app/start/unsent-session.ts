import type { Session } from '@chirality/contracts';

type Parts = {
  create(projectId: string, model: string): Promise<Session>;
  archive(session: Session): void;
};

/**
 * The session that is created for a message whose files are still on their way. Attempts for the same project and model
 * share it; one that nothing was sent in is archived when it is no longer meant, or its field is left.
 */
export class UnsentSession {
  private begun: { session: Session; projectId: string; model: string } | null = null;
  private isBusy = false;
  private isLeft = false;

  constructor(private readonly parts: Parts) {}

  async begin(projectId: string, model: string): Promise<Session> {
    this.isBusy = true;
    if (this.begun?.projectId === projectId && this.begun.model === model) return this.begun.session;
    this.abandon();
    const session = await this.parts.create(projectId, model);
    this.begun = { session, projectId, model };
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
