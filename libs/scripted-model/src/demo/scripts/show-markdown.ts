import { message, text } from '../../api/reply';
import { offer } from '../phrases';
import type { Script } from '../script';

const SHOWCASE = `## What an answer can look like

Plain text with **bold**, *italic*, ~~struck~~ and \`code\`, and a [link](https://docs.claude.com).

### A table

| Part | Does | Speaks to |
|:---|:---|---:|
| api | checks and accepts | browser |
| worker | runs the agent | sandbox |
| database | remembers | both |

### Code

\`\`\`ts
/** The first \`count\` numbers of the Fibonacci sequence. */
export function fibonacci(count: number): number[] {
  const numbers = [0, 1];
  while (numbers.length < count) numbers.push(numbers.at(-1)! + numbers.at(-2)!);
  return numbers.slice(0, count);
}
\`\`\`

\`\`\`python
def fibonacci(count: int) -> list[int]:
    a, b, numbers = 0, 1, []
    for _ in range(count):
        numbers.append(a)
        a, b = b, a + b
    return numbers
\`\`\`

\`\`\`diff
- const greeting = 'Hello';
+ const greeting = 'Hello, world';
\`\`\`

### Lists

1. First this
   - with a detail
   - and another
2. then that

- [x] a thing that is done
- [ ] a thing that is not

> A quotation stands apart, and may
> run over several lines.

---

Characters from everywhere: déjà vu, 漢字, שלום, привет, 🙂 👩‍💻.`;

/** Everything that the page can render, in one answer. */
export const showMarkdown: Script = {
  name: 'show-markdown',
  fits: ({ asked }) =>
    /\b(markdown|table|code (?:block|example|sample)|format(?:ting)?|render)\b|show me (?:some )?code/i.test(asked),
  play: () => message(text(`${SHOWCASE}\n\n${offer('think', 'create')}`)),
};
