import { toJsxRuntime } from 'hast-util-to-jsx-runtime';
import { memo } from 'react';
import { Fragment, jsx, jsxs } from 'react/jsx-runtime';
import { useHighlighter } from './use-highlighter';

/** Code in colours where its language is known, else as it is. */
export const Highlighted = memo(function Highlighted({ code, language }: { code: string; language: string | null }) {
  const highlight = useHighlighter(code.length, language);
  const tree = highlight === null || language === null ? null : highlight(code, language);
  return tree === null ? code : toJsxRuntime(tree, { Fragment, jsx, jsxs });
});
