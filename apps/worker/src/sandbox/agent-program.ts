/** A program of this host, as a sandbox has to know it to show it. */
export interface ProgramFile {
  hostPath: string;
  /** A script that node takes for an ES module by its name only. */
  isModule?: boolean;
  /** Host path of an interpreter that the program names by `env`, and the name it looks for. */
  interpreter?: { hostPath: string; name: string };
  /** Host path of an interpreter that the program names by an absolute path outside /usr. */
  absoluteInterpreter?: string;
}

/** The program that every sandbox shows: all that sandboxes know of it. */
export interface AgentProgram {
  /** As people call it. */
  readonly name: string;
  /** Where it is inside every sandbox, on every machine. */
  readonly inside: string;
  /** A directory beside it, for an interpreter that the host does not keep under /usr. */
  readonly interpreters: string;
  /** Variables that mark a program as started by another one of its kind: none enters a sandbox. In capitals. */
  readonly ownVariables: readonly string[];
  /** Variables that look like a secret's and may hold the gateway's token, which opens nothing but its turn. */
  readonly tokenVariables: readonly string[];
  /** Finds it on this host. Throws SandboxUnavailableError where it is not, or may not be run. */
  locate(): ProgramFile;
}
