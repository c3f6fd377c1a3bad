/** What a variable's value is sealed for (the `aad` of SecretBox): moved to another project or name it does not open. */
export function variableSealOf(projectId: string, name: string): string {
  return `project-variable:${projectId}:${name}`;
}
