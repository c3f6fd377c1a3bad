import { baseName, extensionOf } from './phrases';

type Content = (name: string) => string;

const CONTENTS: Readonly<Record<string, Content>> = {
  py: () => `"""Greets the person named on the command line."""

import sys


def greeting(name: str) -> str:
    return f"Hello, {name}!"


if __name__ == "__main__":
    print(greeting(sys.argv[1] if len(sys.argv) > 1 else "world"))
`,
  js: () => `/** A greeting for \`name\`. */
function greeting(name) {
  return \`Hello, \${name}!\`;
}

console.log(greeting(process.argv[2] ?? 'world'));
`,
  ts: () => `/** A greeting for \`name\`. */
export function greeting(name: string): string {
  return \`Hello, \${name}!\`;
}

console.log(greeting(process.argv[2] ?? 'world'));
`,
  sh: () => `#!/usr/bin/env bash
set -euo pipefail

name="\${1:-world}"
echo "Hello, $name!"
`,
  html: (name) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>${name}</title>
  </head>
  <body>
    <h1>Hello, world!</h1>
    <p>This page was written by the demo model.</p>
  </body>
</html>
`,
  css: () => `:root {
  --accent: #2f6fde;
}

body {
  font: 16px/1.5 system-ui, sans-serif;
}

a {
  color: var(--accent);
}
`,
  json: (name) => `${JSON.stringify({ name, greeting: 'Hello, world!', writtenBy: 'the demo model' }, null, 2)}\n`,
  md: (name) => `# ${name}

This file was written by the demo model.

- It is a real file in the session's workspace.
- The diff beside the conversation shows it as new.
- Ask me to edit it, and watch the change.
`,
  go: () => `package main

import "fmt"

func main() {
	fmt.Println("Hello, world!")
}
`,
  rs: () => `fn main() {
    println!("Hello, world!");
}
`,
};

/** A small, working file of the kind that the name speaks of. */
export function contentFor(file: string): string {
  const name = baseName(file).replace(/\.[^.]*$/, '');
  return (CONTENTS[extensionOf(file)] ?? ((title: string) => `${title}\n\nThis file was written by the demo model.\n`))(
    name,
  );
}

/** How to try a file on the command line; null for a kind that is not run. */
export function commandFor(file: string): string | null {
  const runners: Readonly<Record<string, string>> = { py: 'python3', js: 'node', mjs: 'node', sh: 'bash' };
  const runner = runners[extensionOf(file)];
  return runner === undefined ? null : `${runner} ${file}`;
}
