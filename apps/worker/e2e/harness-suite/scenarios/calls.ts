/** A directive by which the model calls a tool. */
export function call(tool: string, input: Record<string, unknown>): string {
  return `[[tool ${tool} ${JSON.stringify(input)}]]`;
}

/** The same for several tools in one message. */
export function calls(list: readonly (readonly [tool: string, input: Record<string, unknown>])[]): string {
  return `[[tools ${JSON.stringify(list)}]]`;
}
