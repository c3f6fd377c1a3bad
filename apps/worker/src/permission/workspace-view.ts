import { join } from 'node:path';
import { GLOBAL_GIT_CONFIG, gitMayRunPrograms } from '../workspace/git-programs';
import { realPathOf } from './real-path';

/** The files of a session as its tools see them, and as they are on this machine. */
export class WorkspaceView {
  /** `inside`: where tools see the workspace; undefined where they are in no sandbox. */
  constructor(
    private readonly inside: string | undefined,
    private readonly host: { workspace: string; config: string },
  ) {}

  /** The path that a tool reaches by this one; null when it leads nowhere. */
  async realPath(path: string): Promise<string | null> {
    return this.inside ? realPathOf(path, { inside: this.inside, host: this.host.workspace }) : path;
  }

  /** Whether git, run in that directory, may start a program that its configuration names. */
  async gitRunsPrograms(directory = this.inside): Promise<boolean> {
    const { inside, host } = this;
    if (inside === undefined || directory === undefined) return false;
    const isBelow = directory === inside || directory.startsWith(`${inside}/`);
    return gitMayRunPrograms({
      workspace: host.workspace,
      directory: isBelow ? host.workspace + directory.slice(inside.length) : directory,
      config: join(host.config, GLOBAL_GIT_CONFIG),
    });
  }
}
