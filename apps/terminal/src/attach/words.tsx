import { Text, type TextProps } from 'ink';
import type { ReactElement } from 'react';
import type { SafeText } from '../text/safe-text';

type Part = SafeText | ReactElement;

/**
 * Text on the screen, on a row that is cut at its end. Ink hands colours and links in a string on to the terminal, so
 * it takes safe text alone.
 */
export function Words({ children, ...look }: Omit<TextProps, 'children'> & { children: Part | readonly Part[] }) {
  return (
    <Text wrap="truncate-end" {...look}>
      {children}
    </Text>
  );
}
